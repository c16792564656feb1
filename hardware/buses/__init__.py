"""The real buses of a Raspberry Pi: GPIO pins with their edges, I2C, SPI, and keypads through evdev."""
