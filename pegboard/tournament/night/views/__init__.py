"""Parts of the views of a night: people, games, standings, brackets, pots, and why a button cannot be pressed."""
