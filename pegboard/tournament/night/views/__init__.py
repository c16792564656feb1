"""JSON views of an event: people, games, standings, brackets, pots, and why a button is disabled."""
