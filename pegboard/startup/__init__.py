"""From the command line to a running table: the next game, devices, and what the terminal says of it."""
