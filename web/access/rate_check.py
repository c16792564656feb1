"""What the rate limit says of a command: it may, or it is refused unless it turns out to be a repeat."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from web.http.problems import Problem
from web.http.rate_limit import retry_after


@dataclass(frozen=True, slots=True)
class RateCheck:
    """What the rate limit says of a command.

    Attributes:
        wait_s: seconds until it is allowed; 0 when it is.
        refund: let it not count.
    """

    wait_s: float = 0.0
    refund: Callable[[], None] = lambda: None

    def refuse(self) -> NoReturn:
        """Refuse a command that is not allowed yet.

        Raises:
            Problem: 429.
        """
        seconds = retry_after(self.wait_s)
        raise Problem(429, "too_fast", "too_fast", headers={"Retry-After": seconds}, seconds=seconds)
