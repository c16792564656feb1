"""A journal that says of itself what a test wants it to."""

from typing import Any

from pegboard.errors import NotStored
from pegboard.messages import Message
from pegboard.storage.journal.journal import Journal

FULL = Message("verbatim", text="the disk is full")


class TroubledJournal(Journal):
    """A journal that finds `news`, and stores nothing while it has a `trouble`.

    Attributes:
        news: what it has found amiss when it is next looked after.
        trouble: why nothing can be stored, or None.
    """

    def __init__(self, *args: Any) -> None:
        self.news: list[Message] = []
        self.trouble: Message | None = None
        super().__init__(*args)

    def look_after(self) -> list[Message]:
        found, self.news = self.news, []
        return found

    def play_in_memory(self) -> None:
        self.is_in_memory = True

    @property
    def fault(self) -> Message | None:
        return self.trouble

    def append(self, *args: Any, **more: Any) -> None:
        if self.trouble and not self.is_in_memory:
            raise NotStored("not_saved", fault=self.trouble)
        super().append(*args, **more)
