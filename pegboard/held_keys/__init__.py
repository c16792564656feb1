"""What keys do that are held, or pressed together: switching off, calls, and the code of an event."""
