"""The players of tests: a name for each seat of the largest table."""

SIX = ("Ann", "Bob", "Cy", "Dee", "Player 5", "Player 6")
