"""The hub's ledger: a database, SQLite or PostgreSQL, of what tables sent, directors decided, and was refused.

The law of this room: a commit is on disk before anybody is answered, which is read back from the database at start; and
rows of events and decisions are only ever added.
"""
