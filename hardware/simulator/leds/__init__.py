"""Models of LED strips, each after its chip's datasheet, fed by the data line alone."""
