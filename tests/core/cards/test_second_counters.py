"""Random hands, cribs and plays score what counters written from the rule sheets alone say.

`make oracle` tries all 100,000 hands and 20,000 plays; `make test` one in a hundred, other ones each time.
"""

from random import Random

from pegboard.core.cards.show import count_show
from pegboard.core.cards.written_play import follow_play
from tests.oracles.hand_counter import show_points
from tests.oracles.play_counters import Table
from tests.support.long_runs import SEED, some_of

HANDS, PLAYS, SHARE = 100_000, 20_000, 100

NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = [(rank, suit) for rank in range(1, 14) for suit in "CDHS"]
LOW = [card for card in DECK if card[0] <= 5]
"""Low cards make long counts with many runs and pairs."""

SEATS = {2: ("pone", "dealer"), 3: ("pone", "player 2", "dealer"), 4: ("pone", "player 2", "player 3", "dealer")}


def write(card):
    rank, suit = card
    return NAMES[rank - 1] + suit


def one_suit_and_a_starter(dice):
    """A hand that has a flush; among hands at random it would be rare."""
    hand = dice.sample([card for card in DECK if card[1] == "H"], 4)
    return [*hand, dice.choice([card for card in DECK if card not in hand])]


def test_random_hands_and_cribs_score_what_the_second_counter_says():
    dice = Random(SEED)
    for _ in range(some_of(HANDS, SHARE)):
        cards = dice.sample(DECK, 5) if dice.randrange(4) else one_suit_and_a_starter(dice)
        hand, starter = " ".join(map(write, cards[:4])), write(cards[4])
        for crib in (False, True):
            assert count_show(hand, starter, crib=crib).points == show_points(cards, crib=crib), (hand, starter, crib)


def played_at_random(dice):
    """A table after a whole play, what each player said or played there, and who scored how much for it.

    A go of the player who takes it scores with what came before, for the program says it without a line of its own.
    """
    seats, held = dice.randint(2, 4), dice.choice((3, 4, 4))
    cards = dice.sample(dice.choice((DECK, DECK, LOW)), seats * held)
    hands = [cards[held * seat : held * (seat + 1)] for seat in range(seats)]
    table = Table(hands, seats - 1, [dice.random() < 0.5 for _ in hands])
    acts, said = [], []
    while table.turn is not None:
        seat, before, fitting = table.turn, list(table.points), table.fitting(table.turn)
        takes_go = not fitting and seat == table.latest
        if fitting:
            card = dice.choice(fitting)
            table.lay(card)
        else:
            card = None
            table.go()
        said.append(write(card) if card else "go")
        gained = [now - was for now, was in zip(table.points, before, strict=True)]
        if takes_go:
            name, act, scored = acts.pop()
            acts.append((name, act, [a + b for a, b in zip(scored, gained, strict=True)]))
        else:
            acts.append((SEATS[seats][seat], said[-1], gained))
    return table, said, acts


def acts_of(play):
    """What each player said or played, and who scored how much for it, as the program follows it."""
    acts = []
    for step in play.steps:
        if step.card is not None or not step.parts:
            acts.append((step.player, "go" if step.card is None else str(step.card), [0] * len(play.players)))
        acts[-1][2][play.players.index(step.player)] += step.points
    return acts


def test_random_plays_with_goes_score_step_by_step_what_a_plain_table_says():
    dice = Random(SEED)
    for _ in range(some_of(PLAYS, SHARE)):
        table, said, acts = played_at_random(dice)
        hands = [hand if isinstance(hand, str) else None for hand in table.told()]
        if None not in hands and dice.random() < 0.5:
            said = [word for word in said if word != "go"]  # known hands show who cannot play
        line = dice.choice((" ", ", ", "-", ";")).join(said)
        play = follow_play(line, hands, players=len(hands), held=len(table.dealt[0]))
        assert acts_of(play) == acts, (line, hands)
        assert (play.state.over, list(play.state.points)) == (True, table.points), (line, hands)
