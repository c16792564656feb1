"""A plain Flask application under uvicorn, as a yardstick: answers of one size, and nothing else.

`python -m tests.bench.plain_flask BYTES` serves it at a port that the system chooses, and prints the port.
"""

import socket
import sys

import uvicorn
from flask import Flask, Response, request


def application(size):
    """It parses the body of a POST, and answers every request with so many bytes of JSON."""
    app = Flask(__name__)
    text = '{"padding":""}'
    body = text.replace('""', f'"{"x" * (size - len(text))}"')

    @app.route("/answer", methods=["GET", "POST"])
    def answer():
        if request.method == "POST":
            request.get_json()
        return Response(body, mimetype="application/json")

    return app


def serve(size):
    """Serve it with the protocol and event loop that the table has."""
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    app = application(size)
    uvicorn.Server(uvicorn.Config(app, interface="wsgi", http="h11", loop="asyncio", log_level="error")).run([listener])


if __name__ == "__main__":
    serve(int(sys.argv[1]))
