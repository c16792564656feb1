"""Draws what the panel shows of an event: who is called, who plays, where players go next, and results as QR codes."""
