"""Installation, updates and rollback.

Import rule: only the standard library and itself, because it runs before anything else is installed.
"""
