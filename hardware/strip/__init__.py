"""The LED strip display: layouts of LEDs, colours of holes, gamma and current limit, and the waveform of each chip."""
