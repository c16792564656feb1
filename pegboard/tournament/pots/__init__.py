"""Money of an event, in cents: pots, prizes, shares, fees and payments."""
