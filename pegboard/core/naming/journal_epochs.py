"""Names of a journal's epochs: a journal that has lost events goes on under another one, and stays the same journal."""

RENEWED = "--"
"""Stands in an epoch between the id of the journal, made with it, and what is new since it has lost events."""


def original_journal(epoch: str) -> str:
    """The id of the journal that an epoch is of, whichever of its epochs that is."""
    return epoch.split(RENEWED, maxsplit=1)[0]


def is_earlier(one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether a journal had come to `one` before `other`: each an epoch, and the number of an event in it.

    The first epoch comes before all others, whatever their numbers: what it had beyond them is lost.
    """
    (epoch, number), (other_epoch, other_number) = one, other
    if epoch == other_epoch:
        return number < other_number
    return epoch == original_journal(other_epoch)


def is_unclear(epoch: str, other: str) -> bool:
    """Whether two epochs are of one journal that has lost events twice: their names do not say which came first."""
    journal = original_journal(epoch)
    return epoch != other and journal == original_journal(other) and journal not in (epoch, other)
