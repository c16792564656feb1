"""HTTP itself: listener, connections, rate limits, request bodies, worker threads, static files, problem details."""
