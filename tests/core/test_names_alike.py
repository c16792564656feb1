"""Names that look alike are not two names, and a name that nobody can see is none."""

from dataclasses import replace

import pytest

from pegboard import Rules, Start, new_game
from pegboard.core.names import check_distinct, clean_name
from pegboard.core.referee import decide
from pegboard.errors import RuleError


@pytest.mark.parametrize(
    "letter", ["\u200d", "\u200c", "\ufe0f", "\ufe00", "\u034f", "\u3164", "\u115f", "\u2800", "\uffa0"]
)
@pytest.mark.parametrize("name", ["Ann{}", "{}Ann", "A{}nn", "ANN{}"])
def test_a_letter_that_nobody_sees_makes_no_other_name(letter, name):
    with pytest.raises(RuleError, match=r"^two players are called Ann; give each a different name$"):
        check_distinct(("Ann", name.format(letter)))


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", "\u115f", "\u2800\u3164", "\u200d", "\ufe0f\ufe0f", "\u034f \u1160", "\uffa0"]
)
def test_a_name_that_nobody_sees_is_refused(name):
    with pytest.raises(RuleError, match="a player's name must consist of visible characters only"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f",
        "\u0645\u06cc\u200c\u062e",
        "\u0915\u094d\u200d\u0937",
        "\U0001f3f4\u200d\u2620\ufe0f",
    ],
)
def test_joiners_stay_in_names_that_need_them(name):
    assert clean_name(name) == name
    check_distinct((name, "Ann"))


@pytest.mark.parametrize(("typed", "stored"), [("Jose\u0301", "Jos\u00e9"), ("\u1112\u1161\u11ab", "\ud55c")])
def test_letters_and_accents_are_composed(typed, stored):
    """Unicode Standard Annex 15: canonical composition (NFC); the second is Hangul."""
    assert clean_name(typed) == stored


def test_players_stored_by_an_older_version_keep_their_seats_and_names():
    older = replace(new_game(Rules(), ("Jos\u00e9", "Bob")), players=("Jose\u0301", "Bob"))
    for typed in ("Jose\u0301", "Jos\u00e9"):
        assert decide(older, Start(Rules(), (typed, "Bob"))).players == older.players
