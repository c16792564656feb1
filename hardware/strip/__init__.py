"""What brings a view onto an LED strip: colours for holes, LEDs for colours, current, and each chip's waveform."""
