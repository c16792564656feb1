"""What the server takes from inside uvicorn: a version in which some of it is missing or renamed shows here first."""

import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import h11
import uvicorn
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from web.http.request_head import BoundedConnection

ROOT = Path(__file__).parents[3]


def test_pyproject_admits_one_series_of_uvicorn():
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (pin,) = (one.partition("==")[2] for one in dependencies if one.startswith("uvicorn"))
    assert pin.endswith(".*"), "another series only when these tests and those of the server pass with it"
    assert version("uvicorn").startswith(pin.removesuffix("*"))


def test_server_has_the_steps_that_are_overridden():
    steps = {
        name: list(inspect.signature(getattr(uvicorn.Server, name)).parameters) for name in ("startup", "shutdown")
    }
    assert steps == {"startup": ["self", "sockets"], "shutdown": ["self", "sockets"]}
    assert list(inspect.signature(uvicorn.Server.main_loop).parameters) == ["self"]
    served = inspect.getsource(uvicorn.Server._serve)
    order = [served.index(f"self.{step}(") for step in ("startup", "main_loop", "shutdown")]
    assert order == sorted(order)


def test_state_of_a_server_names_connections_and_tasks():
    assert {"connections", "tasks"} <= vars(ServerState()).keys()
    assert "started" in vars(uvicorn.Server(uvicorn.Config(lambda: None)))
    assert "self.servers" in inspect.getsource(uvicorn.Server.startup)


def test_protocol_has_what_is_read_and_overridden():
    made = inspect.getsource(H11Protocol.__init__)
    attributes = ("app", "conn", "cycle", "flow", "loop", "scope", "transport")
    assert [name for name in attributes if f"self.{name}" not in made] == []
    assert list(inspect.signature(H11Protocol.send_400_response).parameters) == ["self", "msg"]
    assert "self.app" in inspect.getsource(H11Protocol.handle_events), (
        "each request begins with the app of the protocol"
    )


def test_connection_keeps_what_has_come_where_the_head_is_looked_at():
    connection = BoundedConnection()
    connection.receive_data(b"GET / HTTP/1.1\r\n")
    assert connection._receive_buffer._data == b"GET / HTTP/1.1\r\n"
    assert "self.conn.next_event()" in inspect.getsource(H11Protocol.handle_events)


def test_a_chunk_can_be_sent_now_only_while_the_client_reads():
    assert "self.write_paused" in inspect.getsource(FlowControl.__init__)
    made = inspect.getsource(RequestResponseCycle.__init__)
    assert "self.disconnected" in made
    assert "self.response_complete" in made


def test_application_of_a_request_that_is_given_up_sends_nothing_and_waits_for_nothing():
    sent, received = (inspect.getsource(step) for step in (RequestResponseCycle.send, RequestResponseCycle.receive))
    assert "if self.disconnected:\n            return" in sent
    assert received.index("self.message_event.wait()") < received.index('return {"type": "http.disconnect"}')
    lost = inspect.getsource(H11Protocol.connection_lost)
    assert "self.cycle.disconnected = True" in lost
    assert "self.cycle.message_event.set()" in lost


def test_titles_of_statuses_are_read_from_the_table_that_is_added_to():
    assert STATUS_PHRASES[422] == b"Unprocessable Content"
    assert "STATUS_PHRASES[" in inspect.getsource(RequestResponseCycle)
    assert h11.IDLE in h11.Connection(h11.SERVER).states.values()
