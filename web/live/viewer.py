"""A viewer of an event stream, and the channels from which it is sent the newest message; older ones are skipped."""

import asyncio

from web.http.asgi_helpers import SendNow
from web.http.client_address import limited_address


class Channel:
    """One kind of event: its newest message, numbered, and the same framed as a chunk of HTTP."""

    def __init__(self) -> None:
        self.number, self.message, self.chunk = 0, b"", b""

    def publish(self, message: bytes) -> None:
        """Make `message` the newest."""
        self.number += 1
        self.message, self.chunk = message, b"%x\r\n%b\r\n" % (len(message), message)


class Viewer:
    """An open event stream.

    Attributes:
        client: the paired device that it is for, else the client's address, or its IPv6 network (`limited_address`).
        address: the client's address.
        is_paired: whether that is a device.
        last_sent: the channels it subscribes to, each with the number of the last message sent from it.
        wake: set when there is a message that could not be sent at once.
        is_idle: whether everything has been sent and it waits for more.
        is_ended: whether another viewer has its place.
    """

    def __init__(
        self, address: str, device: str, last_sent: dict[Channel, int], send_now: SendNow | None = None
    ) -> None:
        self.client, self.address, self.is_paired = device or limited_address(address), address, bool(device)
        self.last_sent, self._send_now = last_sent, send_now
        self.wake, self.is_idle, self.is_ended = asyncio.Event(), False, False

    def end(self) -> None:
        """End the stream; the page connects again."""
        self.is_ended = True
        self.wake.set()

    def notify(self, channel: Channel) -> None:
        """Send the channel's newest message at once if possible, else wake the stream; others it does not get."""
        if channel not in self.last_sent:
            return
        if self.is_idle and not self.wake.is_set() and self._send_now is not None and self._send_now(channel.chunk):
            self.last_sent[channel] = channel.number
        else:
            self.wake.set()

    def collect(self) -> bytes:
        """The newest message of each channel, unless it has been sent; older ones are skipped."""
        new = [channel for channel, number in self.last_sent.items() if channel.number > number]
        self.last_sent.update({channel: channel.number for channel in new})
        return b"".join(channel.message for channel in new)
