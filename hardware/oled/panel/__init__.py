"""What brings a picture onto a panel's glass in few bytes, and spares the glass: chips, windows, lines, burn-in."""
