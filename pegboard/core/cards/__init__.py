"""Cards: the pack, the play with its count, the show, and questions about suits."""
