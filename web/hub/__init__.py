"""The hub's pages and API: an event at the director's desk, on the big screen and on the players' phones."""
