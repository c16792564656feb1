"""LED strip display: LED layouts, colors of holes, gamma, current limit, and the waveform of each chip."""
