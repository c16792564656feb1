"""Server-sent events: the state of the table for every open page."""
