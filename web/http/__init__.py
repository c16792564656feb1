"""HTTP: server, listener, rate limits, request bodies, worker threads, static files, problem details."""
