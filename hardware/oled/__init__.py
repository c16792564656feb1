"""OLED display: draws a view as a picture (`drawing`), and sends the picture to a panel (`panel`, `transport`)."""
