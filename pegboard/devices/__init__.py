"""Displays and inputs as the program sees them: how each one is, the list of them all, and how bright they are."""
