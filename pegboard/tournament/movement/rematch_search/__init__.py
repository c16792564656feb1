"""Search for rounds without rematches that can be spared, for any games before; players and rounds are numbers here."""
