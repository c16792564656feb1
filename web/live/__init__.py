"""Server-sent events: the state of the table for every page that looks on."""
