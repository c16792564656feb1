"""Cards: the deck, the play with its count, the show, and questions about suits."""
