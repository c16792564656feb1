"""Startup of a table or hub from the command line: settings, next game, devices, hub connection, terminal, backups."""
