"""HTTP: server, client addresses, connection and rate limits, request parsing, worker threads, event streams, files."""
