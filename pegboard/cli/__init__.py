"""Command-line interface (click): `main` has the groups and `run`; each other file has the commands in its name."""
