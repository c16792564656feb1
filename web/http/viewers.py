"""Viewers of an event stream, and the channels that send them the newest message; older ones are skipped."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Protocol

from web.http.asgi import SendNow
from web.http.client_address import limited_address

# --- throttling of events: a maximum rate, with small bursts; urgent ones go out at once ---


MOST_A_SECOND = 20
"""Maximum events in a second, not counting those with a new line of the score sheet."""


BURST = 2
"""How many of them may follow each other immediately."""


APART_S = 1 / (MOST_A_SECOND - BURST)
"""Seconds between the others."""


class Timer(Protocol):
    """The type that an event loop's `call_later` returns."""

    def cancel(self) -> None:
        """Cancel the call."""


class Pacer:
    """Throttle: lets `emit` run at most `MOST_A_SECOND` times in any second, except for urgent calls.

    Two calls may come close together, so that a key press need not wait behind other news; the last request always
    runs.
    """

    def __init__(
        self, emit: Callable[[], None], clock: Callable[[], float], later: Callable[[float, Callable[[], None]], Timer]
    ) -> None:
        self._emit, self._clock, self._later = emit, clock, later
        self._paid_until = float("-inf")
        self._timer: Timer | None = None

    def request(self, *, urgent: bool = False) -> None:
        """Emit now, or as soon as the rate allows."""
        wait = self._paid_until - APART_S - self._clock()
        if urgent or wait <= 0:
            self._emit_now()
        elif self._timer is None:
            self._timer = self._later(wait, self._emit_now)

    def stop(self) -> None:
        """Cancel a pending call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _emit_now(self) -> None:
        self.stop()
        now = self._clock()
        self._paid_until = min(max(now, self._paid_until) + APART_S, now + BURST * APART_S)
        self._emit()


# --- format of a server-sent event (HTML standard, 9.2.5) ---


STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # else nginx would buffer events up to 8 kB
]
"""The headers of every event stream."""


def event(name: str, data: dict[str, Any], *, id: str | None = None) -> bytes:  # noqa: A002 - the standard's own word
    """One server-sent event."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")


class Channel:
    """One kind of event: its newest message, numbered, and the same framed as an HTTP chunk."""

    def __init__(self) -> None:
        self.number, self.message, self.chunk = 0, b"", b""

    def publish(self, message: bytes) -> None:
        """Make `message` the newest."""
        self.number += 1
        self.message, self.chunk = message, b"%x\r\n%b\r\n" % (len(message), message)


class Viewer:
    """An open event stream.

    Attributes:
        client: the id of its paired device, else the client's address, or its IPv6 network (`limited_address`).
        address: the client's address.
        is_paired: whether the client is a paired device.
        last_sent: the channels it subscribes to, each with the number of the last message sent from it.
        wake: set when there is a message that could not be sent at once.
        is_idle: whether everything has been sent and the stream is waiting for more.
        is_ended: whether another viewer has taken its place.
    """

    def __init__(
        self, address: str, device: str, last_sent: dict[Channel, int], send_now: SendNow | None = None
    ) -> None:
        self.client, self.address, self.is_paired = device or limited_address(address), address, bool(device)
        self.last_sent, self._send_now = last_sent, send_now
        self.wake, self.is_idle, self.is_ended = asyncio.Event(), False, False

    def end(self) -> None:
        """End the stream; the page reconnects."""
        self.is_ended = True
        self.wake.set()

    def notify(self, channel: Channel) -> None:
        """Send the channel's newest message at once if possible, else wake the stream; skip it if not subscribed."""
        if channel not in self.last_sent:
            return
        if self.is_idle and not self.wake.is_set() and self._send_now is not None and self._send_now(channel.chunk):
            self.last_sent[channel] = channel.number
        else:
            self.wake.set()

    def collect(self) -> bytes:
        """The newest message of each channel if not sent yet; older ones are skipped."""
        new = [channel for channel, number in self.last_sent.items() if channel.number > number]
        self.last_sent.update({channel: channel.number for channel in new})
        return b"".join(channel.message for channel in new)
