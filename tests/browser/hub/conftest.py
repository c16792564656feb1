"""Hubs whose pages are looked at, and devices in front of them."""

import contextlib

import pytest

from tests.browser.conftest import IN_TIME, SIZES, TOUCHED
from tests.browser.hub.devices_of_a_night import Desk
from tests.support.hub_site import opened_hub


@pytest.fixture
def hub(tmp_path):
    """One at which directors must be paired."""
    with opened_hub(tmp_path / "hub") as hub:
        yield hub


@pytest.fixture(scope="module")
def shown_hub(tmp_path_factory):
    """One for all tests of a file that only look."""
    with opened_hub(tmp_path_factory.mktemp("shown") / "hub") as hub:
        yield hub


@pytest.fixture
def open_device(browser):
    """A new device: `open_device(size, theme=..., client=...)`; at the end no console may have complained.

    But for what is refused, as `open_device.excuse(...)` says also of other parts of complaints.
    """
    complaints, excused = [], ["403", "422", "409"]
    with contextlib.ExitStack() as opened:

        def open_device(size="desk", *, theme="light", language="en-GB", client=None):
            width, height = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height},
                has_touch=size in TOUCHED,
                color_scheme=theme,
                reduced_motion="reduce",
                locale=language,
            )
            opened.callback(context.close)
            context.set_default_timeout(IN_TIME)
            if client is not None:
                url = f"http://127.0.0.1:{client.port}"
                context.add_cookies(
                    [{"name": name, "value": value, "url": url} for name, value in client.cookies.items()]
                )
            page = context.new_page()
            page.on("console", lambda said: said.type in ("error", "warning") and complaints.append(said.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            return page

        open_device.excuse = lambda *parts: excused.extend(parts)
        yield open_device
    assert [said for said in complaints if not any(part in said for part in excused)] == []


@pytest.fixture
def open_desk(hub, open_device):
    """A director's desk of a night: `open_desk(night)`."""
    return lambda night: Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
