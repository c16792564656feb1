"""Versions: installs one beside the others, proves it, switches to it, and goes back.

The law of this room: it runs as root from one file, without a tree, so it imports the standard library, the errors and
itself alone; only the check of a signature needs cryptography.
"""
