"""Models of OLED panels, each after its controller's datasheet, fed by the bus alone."""
