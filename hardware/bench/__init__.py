"""The bench of the simulated hardware: keys to press, plugs to pull, faults to make, and a picture of it all."""
