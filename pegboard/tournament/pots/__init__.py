"""The money of an event, in cents: pots, prizes, shares and payments."""
