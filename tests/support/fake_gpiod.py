"""gpiod 2 as far as pegboard asks it; its lines are pipes, in which each byte is an edge."""

import errno
import os
from enum import Enum
from types import SimpleNamespace


def words(name, members):
    return Enum(name, {member: member for member in members.split()})


class Settings(SimpleNamespace):
    """A line as it is asked for; what is not asked for is as it was."""


class Request:
    """A line that is taken: a pipe, in which each byte is an edge."""

    Type = words("Type", "RISING_EDGE FALLING_EDGE")

    def __init__(self, gpiod, settings):
        self.gpiod, self.settings, self.released = gpiod, settings, False
        self.fd, self.end = os.pipe()
        os.set_blocking(self.fd, False)  # the kernel's would wait, and with it the test
        self.edges, self.level = [], gpiod.line.Value.ACTIVE
        self.driven()

    def driven(self):
        if self.settings.direction is self.gpiod.line.Direction.OUTPUT:
            self.level = self.settings.output_value

    def reconfigure_lines(self, config):
        (self.settings,) = config.values()
        self.driven()

    def get_value(self, _):
        return self.level is self.gpiod.line.Value.ACTIVE

    def set_value(self, _, value):
        self.level = value

    def edge(self, type_, at_ns):
        """The line moves."""
        self.edges.append(SimpleNamespace(event_type=self.Type[type_], Type=self.Type, timestamp_ns=at_ns))
        os.write(self.end, b"!")

    def read_edge_events(self):
        if not os.read(self.fd, 64):
            raise OSError(errno.ENODEV, "No such device")
        edges, self.edges = self.edges, []
        return edges

    def release(self):
        self.released = True
        os.close(self.fd)


class Gpiod:
    """gpiod 2, as far as it is asked: chips by their files, and which other program holds which line."""

    LineSettings = Settings
    line = SimpleNamespace(
        Direction=words("Direction", "INPUT OUTPUT"),
        Bias=words("Bias", "PULL_UP PULL_DOWN DISABLED"),
        Edge=words("Edge", "NONE RISING FALLING BOTH"),
        Value=words("Value", "ACTIVE INACTIVE"),
        Clock=words("Clock", "MONOTONIC"),
    )

    def __init__(self):
        self.labels, self.holders, self.taken, self.open = {"gpiochip0": "pinctrl-bcm2711"}, {}, {}, []

    def Chip(self, path):  # noqa: N802 - gpiod's own name
        name = path.rsplit("/")[-1]
        if name not in self.labels:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        self.open.append(name)
        return SimpleNamespace(
            name=name,
            get_info=lambda: SimpleNamespace(label=self.labels[name]),
            get_line_info=lambda pin: SimpleNamespace(consumer=self.holders[pin]),
            request_lines=self.request,
            close=lambda: self.open.remove(name),
        )

    def request(self, config, consumer, kept):
        assert consumer == "pegboard"
        assert kept >= 64
        ((pin, settings),) = config.items()
        if pin in self.holders:
            raise OSError(errno.EBUSY, "Device or resource busy")
        assert pin not in self.taken or self.taken[pin].released, "the kernel gives a line once"
        self.taken[pin] = Request(self, settings)
        return self.taken[pin]
