"""The hub of a tournament: the ledger of table events and directors' decisions, and the results derived from them.

Rule of this package: nothing is acknowledged before it is committed, nothing committed is changed, and no table
message, however malformed, stops the hub. Results are derived here from score sheets; claims by tables are not trusted.
SQLAlchemy is imported only in `ledger`, and paho-mqtt only in `pegboard/mqtt`.
"""
