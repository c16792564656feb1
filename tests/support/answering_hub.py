"""A hub that answers the code of a table, over a real connection, with whatever a test says."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from tests.support.table_in_event import ANSWER


class _Requests(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body))
        status, content = self.server.answer
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def answering_hub():
    """The server: `asked` is what was posted, `answer` status and bytes of the answer, `url` its address."""
    server = HTTPServer(("127.0.0.1", 0), _Requests)
    server.asked, server.answer = [], (200, json.dumps(ANSWER).encode())
    server.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
