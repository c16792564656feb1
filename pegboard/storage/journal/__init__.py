"""Fault-tolerant event journal: detects disk faults and removed files, reports them, and keeps the game going.

Rule of this package: no acknowledged event is lost silently, and no refused event reappears.
"""
