"""Tables of the messages of tournaments, one module for each part; `pegboard.messages` joins them to its own."""
