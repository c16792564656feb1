"""Names of a journal's epochs: a journal that has lost events goes on under another one, and stays the same journal."""

RENEWED = "--"
"""Stands in an epoch between the id of the journal, made with it, and what is new since it has lost events."""


def original_journal(epoch: str) -> str:
    """The id of the journal that an epoch is of, whichever of its epochs that is."""
    return epoch.split(RENEWED, maxsplit=1)[0]


def is_earlier(one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether a journal had come to `one` before `other`: each an epoch, and the number of an event in it.

    The first epoch comes before all others, whatever their numbers: what it had beyond them is lost. Which of two
    others came first their names do not tell; there the numbers decide. Other journals cannot be compared.
    """
    (epoch, number), (other_epoch, other_number) = one, other
    journal = original_journal(epoch)
    if epoch == other_epoch or journal not in (epoch, other_epoch):
        return journal == original_journal(other_epoch) and number < other_number
    return epoch == journal and journal == original_journal(other_epoch)
