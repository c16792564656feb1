"""Displays and inputs as the program sees them: their health, the registry of all of them, and their brightness."""
