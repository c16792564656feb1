"""The web sites of tables and hubs: pages, JSON APIs, live events, HTTP limits, pairing and sessions, translations.

Rule of this package: every change of a table goes through its scoreboard, never directly to a game; `hardware` is not
imported (the bench is passed in, see `table.program_parts.Bench`). Nothing blocks the event loop, no thread waits for a
client, every response has the security headers, and every refusal is one sentence that says what would be accepted.
"""
