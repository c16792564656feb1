"""Limits of the request headers that are parsed: foreign cookies are left out, and long lists are cut.

The head of a request is limited as a whole (`request_head`), but 8 kB of a list still takes a parser some thousand
steps, and each view that asks for it anew. What is left is as much as any browser sends.
"""

import re
from collections.abc import Callable, Mapping
from itertools import islice

from web.http.asgi_helpers import Headers

LONGEST_COOKIE, MOST_COOKIES = 512, 32
"""Bytes of a cookie of a table, and how many are looked at, one for each table nearby; ours have some 200."""

OWN_COOKIE = re.compile(rb"(?:^|;)[ \t]*((?:pegboard-|language=)[^;]{1,%d})(?=;|$)" % LONGEST_COOKIE)
"""A cookie of a table. Those of other programs on its machine are sent as well, for ports do not part them."""

MOST_ITEMS, LONGEST_LIST = 16, 512
"""Items of a list, and bytes of it. Browsers send up to ten languages."""


def bounded_headers(headers: Headers) -> Headers:
    """The headers of a request, with those that are parsed bounded; one that comes twice is joined."""
    listed: dict[bytes, list[bytes]] = {}
    others: Headers = []
    for name, value in headers:
        if name in BOUNDS:
            listed.setdefault(name, []).append(value)
        else:
            others.append((name, value))
    if not listed:
        return headers
    bounded = [(name, BOUNDS[name](values)) for name, values in listed.items()]
    return [*others, *((name, value) for name, value in bounded if value)]


def _own_cookies(values: list[bytes]) -> bytes:
    found = OWN_COOKIE.finditer(b";".join(values))
    return b"; ".join(cookie[1].strip() for cookie in islice(found, MOST_COOKIES))


def _first_items(values: list[bytes]) -> bytes:
    """The first items of a list, of which those wanted most come first; one that is cut in two is left out."""
    *whole, last = b",".join(values)[: LONGEST_LIST + 1].split(b",", MOST_ITEMS)
    complete = len(whole) < MOST_ITEMS and sum(map(len, values)) + len(values) - 1 <= LONGEST_LIST
    return b",".join([*whole, last] if complete else whole)


def _last_items(values: list[bytes]) -> bytes:
    """The last hops that a request came by: those written by the proxies nearest to the table."""
    first, *whole = b",".join(values)[-LONGEST_LIST - 1 :].rsplit(b",", MOST_ITEMS)
    complete = len(whole) < MOST_ITEMS and sum(map(len, values)) + len(values) - 1 <= LONGEST_LIST
    return b",".join([first, *whole] if complete else whole)


BOUNDS: Mapping[bytes, Callable[[list[bytes]], bytes]] = {
    b"cookie": _own_cookies,
    b"x-forwarded-for": _last_items,
    **dict.fromkeys((b"accept", b"accept-encoding", b"accept-language", b"if-none-match"), _first_items),
}
"""What is left of a header's values, by its name."""
