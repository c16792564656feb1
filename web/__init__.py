"""Everything that talks over the network: pages, JSON API and live events.

Law of this room: it asks the scoreboard and never touches a game itself; it knows no wire, so `hardware` is not
imported here (the bench comes in as an object that `api.bench_protocol.Bench` describes). Nothing in the event loop
blocks, no thread waits for a peer, every answer carries the security headers, and every refusal is one sentence that
says what would be taken.
"""
