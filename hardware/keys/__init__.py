"""Buttons and keypads: debounce, the machine that tells presses apart, and their threads."""
