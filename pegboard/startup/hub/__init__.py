"""Runs a hub, and tells its director's codes."""
