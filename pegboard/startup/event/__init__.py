"""A table's part in events, from the command line and the settings to a running table."""
