"""Whole games of dealt cards on keys alone: who deals, who counts, the hint and the reasons, against the truth.

From the edges of bouncing keys to the picture on the panel; only time is given in. A player's keys cannot peg 0, so a
hand without points is not entered there; on a keypad it is, half the time.
"""

import random

import pytest

from hardware.keys.debounce import Timing
from hardware.keys.keypad import keypad_roles
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import dispatch
from hardware.oled.drawing import font
from hardware.oled.drawing.draw import draw
from hardware.oled.drawing.score_block import draw_number
from hardware.pin_assignment import LANES, wired_keys
from pegboard import Rules
from pegboard.config import KeypadSettings, Settings
from pegboard.core import sentences
from pegboard.core.match import Setup
from tests.core.course_accuracy import BARS, group
from tests.core.shown_mistakes import Wrong, true_hints, wrong_reasons
from tests.hardware.oled.test_layout_streets import BLOCKS, shows
from tests.support.contact_bounce import MS, stroke
from tests.support.dealing import MIX, game, table_of
from tests.support.lit_pixels import LOOKS, plan_of
from tests.support.long_runs import is_long
from tests.support.player_names import SIX
from tests.support.scoreboard_on_a_folder import STANDARD, Table

GAMES = 20 if is_long() else 1

BETWEEN = 700, 2500
"""Milliseconds from a press of one entry to the next entry's, beyond the silence that pegs."""


class Hands:
    """The hands of both players on keys that bounce, and the machine that makes scores of their presses."""

    def __init__(self, keys, board, dice):
        self.machine, self.board, self.dice, self.now = KeyMachine(keys, Timing()), board, dice, 0

    def _tell(self, actions):
        for action in actions:
            dispatch(self.board.keys, action)

    def wait(self, ms):
        """Let time pass; whatever falls due happens at its own time."""
        until = self.now + ms * MS
        while (at := self.machine.deadline()) is not None and at <= until:
            self._tell(self.machine.tick(at))
        self.now = until

    def press(self, key):
        """A finger on a key, for a tenth of a second."""
        for down, ms in ((True, 100), (False, 60)):
            for at, level in stroke(self.dice, self.now, down, 50 * MS):
                self._tell(self.machine.edge(at, key, level))
            self.wait(ms)


class Buttons(Hands):
    """+1 +2 +5 for each lane, as they are wired by default."""

    zeros = 0.0

    def __init__(self, board, dice):
        super().__init__({key.name: key.role for key in wired_keys(Settings())}, board, dice)

    def peg(self, lane, points):
        for value in (5, 2, 1):
            while points >= value:
                self.press(f"{LANES[lane]}{value}")
                points -= value
        self.wait(self.dice.randint(*BETWEEN) + 1200)


class Keypad(Hands):
    """A keypad that types an amount, and an ENTER for each lane."""

    zeros = 0.5

    def __init__(self, board, dice):
        super().__init__(keypad_roles(KeypadSettings(enabled=True)), board, dice)

    def peg(self, lane, points):
        for digit in str(points):
            self.press(f"KEY_KP{digit}")
        self.press(KeypadSettings().enters[lane])
        self.wait(self.dice.randint(*BETWEEN))


def hints_of(truth, begun):
    """What the table does when this entry is the next, as a person at it would say."""
    name = STANDARD.players
    if truth.why in ("hand", "crib"):
        return {f"Show: now count {name[truth.seat]}'s {truth.why}"}
    return {"Play" if begun else f"{name[truth.dealer]} deals"}


def play_one(number, kind, folder, wrong, seen):
    """A game entry by entry; `seen(view)` looks at each view."""
    dice = random.Random(f"{kind.__name__} {number}")
    rules, table = Rules.named("standard"), Table(folder)
    first = dice.randrange(2)
    truths = game(dice, table_of(rules), first, [dice.choice(MIX) for _ in range(2)])
    entered = [n for n, truth in enumerate(truths) if truth.points or dice.random() < kind.zeros]
    hands = kind(table.board, dice)
    if table.view.game.dealer != first:
        hands.press("deal" if kind is Buttons else "KEY_KPSLASH")
        hands.wait(1000)
    assert table.view.game.dealer == first
    for n in entered:
        truth = truths[n]
        hands.peg(truth.seat, truth.points)
        sheet = table.view.game
        scores = [entry.event.points for entry in sheet.entries if hasattr(entry.event, "points")]
        assert scores == [truths[k].points for k in entered[: entered.index(n) + 1]], "one entry is one score"
        wrong.entries += 1
        wrong.live += group(sheet.followed.readings[-1].why) != group(truth.why)
        seen(table.view)
        if sheet.outcome is None:
            _compare(sheet, truth, set(true_hints(truths, n, entered, hints_of)), wrong)
    readings = [
        each for each, entry in zip(sheet.followed.readings, sheet.entries, strict=True) if hasattr(entry.event, "why")
    ]
    wrong.finally_ += wrong_reasons((each.why for each in readings), [truths[n] for n in entered])
    wrong.games += 1
    assert sheet.outcome is not None
    table.journal.close()


def _compare(sheet, truth, hints, wrong):
    wrong.under_the_dealer({sheet.dealer}, truth)
    wrong.besides["no D"] += not sentences.is_dealer_known(sheet)
    wrong.unsure += sheet.standing.other is not None
    said = sentences.phase_sentence(sheet)
    wrong.hints += said not in hints and sheet.standing.other is None


def reads_as_it_stands(view):
    """D and HAND or CRIB on the panel are those of the state, and one lane's alone."""
    picture, game = draw(view), view.game
    counts = sentences.to_count(game)
    for lane, (top, bottom) in enumerate(BLOCKS[2]):
        part = (107, top, 128, bottom)
        assert shows(picture, font.badge("D"), part) is (sentences.is_dealer_known(game) and game.dealer == lane)
        for word in ("hand", "crib"):
            assert shows(picture, font.render(word.upper()), part) is (counts == (lane, word))


@pytest.mark.parametrize("kind", [Buttons, Keypad], ids=["buttons", "keypad"])
def test_keys_alone_tell_who_deals_who_counts_and_what_for(tmp_path, kind):
    wrong = Wrong()
    for number in range(GAMES):
        play_one(number, kind, tmp_path / f"{number}", wrong, reads_as_it_stands)
    print(wrong)  # the figures, with `pytest -s`
    wrong.assert_within(BARS["buttons"], hints=5, unsure=6)


@pytest.mark.parametrize("variant", ["six-partners", "cut-throat-four"])
@pytest.mark.parametrize("kind", [Buttons, Keypad], ids=["buttons", "keypad"])
def test_every_score_of_a_larger_table_is_that_of_a_tally(tmp_path, kind, variant):
    """Keys have three lanes; the scores of a fourth come from a phone."""
    dice, rules = random.Random(f"{kind.__name__} {variant}"), Rules.named(variant)
    table = Table(tmp_path, Setup(rules, SIX[: rules.seats]))
    hands, tally = kind(table.board, dice), [0] * rules.lanes
    for truth in game(dice, table_of(rules), table.view.game.dealer, [dice.choice(MIX) for _ in range(rules.seats)]):
        lane = truth.seat % rules.lanes
        if not truth.points and dice.random() >= kind.zeros:
            continue
        if lane < len(LANES):
            hands.peg(lane, truth.points)
        else:
            table.score(truth.seat, truth.points)
        tally[lane] = min(rules.game_hole, tally[lane] + truth.points)
        assert table.fronts() == tally
        assert [(look, n) for look in LOOKS for n in range(3) if not shows_score(table.view, look, n, tally[n])] == []
    assert tally[table.view.game.outcome.winner] == rules.game_hole
    table.journal.close()


def shows_score(view, look, lane, number):
    """Whether the panel shows a number where a lane's score is, and not the end of a longer one."""
    shown, block = draw(view, look), plan_of(look, view.game.rules).blocks[lane]
    edge, top = block.score

    def is_shown(figure):
        picture = draw_number(figure, block.style)
        return shown.crop((edge - picture.width, top, edge, top + picture.height)).tobytes() == picture.tobytes()

    return is_shown(number) and not any(is_shown(int(f"{before}{number}")) for before in range(1, 10))
