"""The count of a hand as players say it: "fifteen two, fifteen four, and a pair is six"."""

from collections.abc import Iterable, Iterator, Sequence

from pegboard.core.cards.pack import PAIRS, Kind, Part

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *("twenty", "twenty-one", "twenty-two", "twenty-three", "twenty-four"),
    *("twenty-five", "twenty-six", "twenty-seven", "twenty-eight", "twenty-nine"),
)
ONE_FOR_NOBS = "one for his nobs"
_PAIRS = tuple(PAIRS.values())
_TIMES = {2: "double", 3: "triple", 4: "quadruple"}


def with_totals(named: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Each name with the running total; what comes last after others, and is no fifteen, begins with "and"."""
    phrases = list(_phrases(named))
    if len(phrases) > 1 and not phrases[-1].startswith(Kind.FIFTEEN):
        phrases[-1] = f"and {phrases[-1]}"
    return tuple(phrases)


def _phrases(named: Iterable[tuple[str, int]]) -> Iterator[str]:
    total = 0
    for name, points in named:
        total += points
        if name == Kind.FIFTEEN:
            yield f"{name} {NUMBERS[total]}"
        else:
            yield name if name == ONE_FOR_NOBS and total == 1 else f"{name} is {NUMBERS[total]}"


def names_in_one_breath(parts: Sequence[Part]) -> Iterator[tuple[str, int]]:
    """Name each part as players do: a double run is told in one breath with its pair."""
    all_runs = [part for part in parts if part.kind == Kind.RUN]
    together = [part for part in parts if part.kind in (*_PAIRS, Kind.RUN)] if len(all_runs) > 1 else []
    for part in parts:
        if part not in together:
            yield name_of(part), part.points
        elif part is together[-1]:
            name = f"a {_TIMES[len(all_runs)]} run of {NUMBERS[len(part.cards)]}"
            yield name, sum(each.points for each in together)


def name_of(part: Part) -> str:
    """What players call a part: "fifteen", "a pair royal", "a run of four"."""
    if part.kind == Kind.FIFTEEN:
        return part.kind
    if part.kind == Kind.NOBS:
        return ONE_FOR_NOBS
    if part.kind in _PAIRS:
        return f"a {part.kind}"
    return f"a {part.kind} of {NUMBERS[len(part.cards)]}"
