"""The hub's pages: a tournament night at the director's desk, on the big screen and on the players' phones."""
