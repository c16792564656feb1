"""The hub's ledger: a database, SQLite or PostgreSQL, of table events, directors' decisions, and refused messages.

Rule of this package: nothing is answered before its commit is on disk; each new connection checks that the database
guarantees this. Rows of events and decisions are append-only.
"""
