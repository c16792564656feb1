"""The OLED: what is drawn of a view, and how it reaches the panel."""
