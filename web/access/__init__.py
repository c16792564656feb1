"""Who may score: pairing codes, sessions, the server's secret, and the way to the table."""
