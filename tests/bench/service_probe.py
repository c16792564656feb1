"""What is seen of the running program from outside: its wires, its live pages, and what Linux counts of it."""

import asyncio
import itertools
import json
import math
import time
from pathlib import Path

from tests.support.program import stolen_s

ADDRESS_BITS, BITS_PER_BYTE = 9, 9
"""On I2C every byte is followed by an acknowledge bit; the address is one more byte."""


def percentile(values, share):
    """The smallest value that so large a share of all does not exceed."""
    return sorted(values)[math.ceil(len(values) * share) - 1]


def undisturbed(samples, times, most=4):
    """So many of these samples, without those during which the host gave this machine's processors to others.

    Where too few are left of `most` times as many, disturbed ones fill up: figures may then be too high, never too low.
    """
    calm, disturbed, before = [], [], stolen_s()
    for sample in itertools.islice(samples, most * times):
        (calm if (now := stolen_s()) == before else disturbed).append(sample)
        before = now
        if len(calm) == times:
            break
    return calm + disturbed[: times - len(calm)]


def recorded_since(service, mark):
    """What has passed over the wires since the record had `mark` bytes; a torn last line is left out."""
    with service.record.open("rb") as record:
        record.seek(mark)
        return [json.loads(line) for line in record.read().split(b"\n")[:-1]]


def first_burst(lines):
    """The transactions of one update: no more than 20 ms apart."""
    burst = lines[:1]
    for line in lines[1:]:
        if line["t_ns"] - burst[-1]["t_ns"] > 20e6:
            break
        burst.append(line)
    return burst


def wire_ms(line, hz=400_000):
    return (len(line["data"]) // 2 * BITS_PER_BYTE + ADDRESS_BITS + 2) / hz * 1e3


async def watch(port, seen, ready):
    """One viewer: notes when each revision arrived."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n")
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                seen[int(line.rsplit(b"-", 1)[1])] = time.monotonic_ns()
                ready.set()
    except ConnectionError:
        pass
    finally:
        writer.close()


def usage(pid):
    """Memory, voluntary context switches of all threads and CPU seconds, as Linux counts them."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines())
    switches = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        lines = dict(line.split(":", 1) for line in (task / "status").read_text("ascii").splitlines())
        switches += int(lines["voluntary_ctxt_switches"])
    ticks = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return {
        "rss_mb": int(status["VmRSS"].split()[0]) / 1024,
        "switches": switches,
        "cpu_s": (int(ticks[11]) + int(ticks[12])) / 100,
    }
