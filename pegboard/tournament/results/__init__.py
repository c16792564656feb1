"""Results of an event: two claims and two values per game, rulings, score cards, standings and totals."""
