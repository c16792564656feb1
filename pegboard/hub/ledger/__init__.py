"""The hub's ledger: a database, SQLite or PostgreSQL, of table events, directors' decisions, and refused messages.

Rule of this package: a commit is on disk before anything is answered, which is verified against the database at
start. Rows of events and decisions are append-only.
"""
