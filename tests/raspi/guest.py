"""The guest's part: it shows every scene on the real buses, plays on the whole table, and tells what that said.

Each stage begins with a mark on both sides: a write to an EEPROM on the I2C bus, which QEMU's trace has, and a line in
the kernel's own trace. Results are lines of JSON after `guest:`.
"""

import http.client
import json
import subprocess
import sys
import time
from pathlib import Path

from hardware.buses.pi import PiBuses
from hardware.buses.spi_limits import SPI_TRANSFER
from pegboard.errors import DeviceError
from tests.raspi.scenes import long_scene, scenes

PROGRAM = [sys.executable, "-I", "/opt/pegboard/run.py"]
CONFIG = Path("/run/pegboard.toml")
MARKS, KERNEL_MARKS = 0x50, Path("/sys/kernel/tracing/trace_marker")
PORT = 8123

SETTLED_S = 3.0
"""A display has long shown by then what was answered."""


def mark(stage):
    bus = PiBuses().i2c(1)
    bus.write(MARKS, stage.encode())
    bus.close()
    KERNEL_MARKS.write_text(f"stage {stage}")


def tell(name, what):
    print(f"guest: {json.dumps({name: what})}", flush=True)


def selftest():
    mark("selftest")
    told = subprocess.run([*PROGRAM, "selftest", "--config", CONFIG], capture_output=True, text=True, check=False)
    tell("selftest", told.stdout)


def show_scenes():
    for scene in scenes():
        mark(scene.name)
        scene.show(PiBuses())


def show_long_strip():
    """A frame longer than 4096 bytes, by our own program and then, where that refuses, by spidev alone."""
    import spidev  # noqa: PLC0415 - only the guest has it

    scene = long_scene()
    mark(scene.name)
    try:
        scene.show(PiBuses())
    except DeviceError as error:
        tell("long strip", str(error.message))
        mark("spidev alone")
        device = spidev.SpiDev()
        device.open(0, 0)
        device.writebytes2(bytes(SPI_TRANSFER + 1))
        device.close()
    else:
        tell("long strip", "shown")


def ask(method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
    connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    values = json.loads(answer.read())
    assert answer.status < 300, values
    return values


def wait_for_table(table):
    while True:
        try:
            return ask("GET", "/api/v1/state")
        except OSError:
            assert table.poll() is None, "the table has ended"
            time.sleep(0.1)


def run_table():
    """The whole table, five points for the first player, and its end in order."""
    mark("table")
    begun = time.monotonic()
    words = [*PROGRAM, "run", "--config", CONFIG, "--open", "--host", "127.0.0.1", "--port", str(PORT)]
    table = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    state = wait_for_table(table)
    tell("ready after", time.monotonic() - begun)
    command = {"id": "raspi-00000000000000000001", "game": state["game"]["id"], "base": state["lanes"][0]["revision"]}
    ask("POST", "/api/v1/commands", command | {"do": "score", "seat": 0, "points": 5})
    time.sleep(SETTLED_S)
    tell("health", ask("GET", "/api/v1/health"))
    table.terminate()
    tell("table", table.wait(60))


def main():
    CONFIG.write_text("[keys]\nenabled = false\n")  # QEMU's lines are outputs only
    if "spidev.bufsiz=" not in Path("/proc/cmdline").read_text():
        selftest()
        show_scenes()
        run_table()
    show_long_strip()
    mark("end")


if __name__ == "__main__":
    main()
