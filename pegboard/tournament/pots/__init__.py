"""The money of a night, in cents: pots and who wins them, prizes, shares that add up, and who has paid what."""
