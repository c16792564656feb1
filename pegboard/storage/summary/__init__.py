"""Summary tables of the journal: what lists and statistics hold of each game, made from its events."""
