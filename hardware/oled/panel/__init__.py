"""The OLED panel itself: controllers, transport over I2C or SPI, dirty-window updates, reinit, burn-in protection."""
