"""The self-test: looks for pins, buses, keypad and devices of other packages, and tries them one after the other."""
