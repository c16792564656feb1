"""Installation, updates and rollback.

Rule of this package: it imports only the standard library, itself, `pegboard.errors` and the messages, because it runs
before anything else is installed.
"""
