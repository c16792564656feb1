"""Exports, and imports of another table's games: parsed, checked line by line, and stored all or none."""
