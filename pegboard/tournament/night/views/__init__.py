"""JSON views of an event: people, games, standings, brackets, pots, button states; and orders for tables."""
