"""Command-line interface (click): `main` has the groups and `run`; other files are named after their commands."""
