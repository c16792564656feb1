"""Between the broker and the ledger: receives what tables send, has it stored, and acknowledges it.

The law of this room: a table is acknowledged after the commit, and the broker after that; so whoever of the three is
killed, what is not in the ledger is sent again. No message ends a thread here.
"""
