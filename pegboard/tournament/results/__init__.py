"""Results of a night: two claims and two values for each game, rulings, score cards, standings, totals."""
