"""What `pegboard unpair` does and tells: the paired phones, one of them unpaired, or all."""

from collections.abc import Iterator

from pegboard.startup.start_notice import clock
from web.access.pairing_codes import Codes
from web.access.pairing_file import StateFileError


def list_devices(codes: Codes) -> Iterator[str]:
    """A line for each paired phone, that paired last first: its id, role and browser, and when it was paired."""
    table = codes.table
    devices = [] if table is None else codes.paired_devices(table.paired_s)
    if not devices:
        yield "No paired phones."
    for one in devices:
        paired = clock(codes.as_wall_time(one.since))
        yield f"{one.id}  {one.role:<8}  {one.label or 'a device'}, paired at {paired}"


def unpair_devices(codes: Codes, device: str | None) -> Iterator[str]:
    """Unpair one phone, or every one for None; what to tell about it.

    Raises:
        StateFileError: no phone has that id, or it cannot be stored.
    """
    if device is None:
        codes.unpair_all()
        yield "All phones are unpaired; each needs a new code to score again."
        return
    found = codes.unpair(device)
    if found is None:
        raise StateFileError("no_such_device", device=repr(device))
    yield f"{found.label or 'The device'} is unpaired and needs a new code to score again."
