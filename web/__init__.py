"""Everything that talks over the network: pages, JSON API and live events.

Rule of this package: every change goes through the scoreboard, never to a game itself; it knows no wire, so `hardware`
is not imported here (the bench is passed in, see `table.program_parts.Bench`). Nothing blocks the event loop, no thread
waits for a client, every response has the security headers, and every refusal is one sentence that says what would be
accepted.
"""
