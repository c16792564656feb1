"""The OLED display: drawing a view as a picture (`drawing`), and sending the picture to a panel (`panel`)."""
