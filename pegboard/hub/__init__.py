"""The hub of a tournament night: its ledger of what tables sent and directors decided, and what it makes of them.

The law of this room: nothing is acknowledged before it is committed, nothing that was committed is changed, and no
message of a table, however wrong, ends the hub. A result is derived here from the score sheet; what a table claims
beside it is not believed. SQLAlchemy is imported in `ledger` alone, and paho-mqtt in `pegboard/mqtt`.
"""
