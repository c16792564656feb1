"""The table of what is watched: each part of the program, and whether it is a reason to start the program again.

Not watched is what takes as long as it takes: statistics, exports and uploads have a thread of their own, and nobody's
score waits for it. A disk that is full or read-only is no stall: the journal answers, and each window says NOT SAVED.
"""

from typing import NamedTuple


class WatchedPart(NamedTuple):
    """A part of the program that can stall.

    Attributes:
        key: its name for programs.
        message_key: of the message that it has stalled.
        restarts: whether a new start helps, so that systemd is no longer told that the program lives.
        reason: why it is so.
        needs_table: whether it may wait for the table, and so does not stall while something long goes on there.
    """

    key: str
    message_key: str
    restarts: bool
    reason: str
    needs_table: bool = False


SCORING = WatchedPart(
    "scoring",
    "stall_scoring",
    restarts=True,
    reason="the restart frees the table, and no saved score is lost",
    needs_table=True,
)
COMMITTING = WatchedPart(
    "committing",
    "stall_committing",
    restarts=True,
    reason="no score was accepted meanwhile, so none is lost, and the journal may respond once it is reopened",
)
ANSWERING = WatchedPart(
    "answering",
    "stall_answering",
    restarts=True,
    reason="no phone can score and no page is updated; a new server answers two seconds later",
)
SCORES = WatchedPart(
    "scores",
    "stall_scores",
    restarts=True,
    reason="no phone can score, though pages still show",
    needs_table=True,
)
PAGES = WatchedPart(
    "pages",
    "stall_pages",
    restarts=True,
    reason="a phone that joins or reloads gets no page, not even `/health`",
    needs_table=True,
)
KEYS = WatchedPart(
    "keys",
    "stall_keys",
    restarts=True,
    reason="no key scores, and only a restart brings back their thread",
    needs_table=True,
)
DISPLAY = WatchedPart(
    "display",
    "stall_display",
    restarts=False,
    reason="a stuck bus would get stuck again; keys, phones and other displays keep working",
)
MAIN_LOOP = WatchedPart(
    "main_loop",
    "stall_main_loop",
    restarts=False,
    reason="nothing else waits, and the file or terminal would still be stuck after a restart",
    needs_table=True,
)

PARTS = (SCORING, COMMITTING, ANSWERING, SCORES, PAGES, KEYS, DISPLAY, MAIN_LOOP)
