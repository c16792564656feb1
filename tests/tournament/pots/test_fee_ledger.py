"""The fee ledger: who has paid what, who owes what, and what the cash box holds."""

from hypothesis import given
from hypothesis import strategies as st

from pegboard.tournament.pots.payouts import EntryShare, FeeKind, FeeRow, Pot, PotEntry, open_ledger
from pegboard.tournament.pots.pot_rules import POT_RULES

POT = Pot("pot1", POT_RULES["q_pool"], 500, (PotEntry("p1"), PotEntry("p3", EntryShare.HALF)))


def ledger(*rows, free=(), players=("p1", "p2", "p3"), pots=(POT,)):
    return open_ledger(
        players, 1000, free, pots, [FeeRow(player, FeeKind(kind), cents) for player, kind, cents in rows]
    )


def account(opened, player):
    return next(one for one in opened.accounts if one.player == player)


def test_everybody_owes_the_fee_of_entry_and_of_their_pots():
    assert [(one.player, one.due) for one in ledger().accounts] == [("p1", 1500), ("p2", 1000), ("p3", 1250)]
    assert (ledger().due, ledger().owed, ledger().in_hand) == (3750, 3750, 0)


def test_a_free_player_needs_no_amount_and_owes_the_pots_alone():
    opened = ledger(free={"p2", "p3"})
    assert [(one.player, one.free, one.owed) for one in opened.accounts] == [
        ("p1", False, 1500),
        ("p2", True, 0),
        ("p3", True, 250),
    ]


def test_what_is_paid_in_parts_is_added_up():
    opened = ledger(("p1", "paid", 1000), ("p1", "paid", 200))
    assert (account(opened, "p1").owed, account(opened, "p1").credit, opened.in_hand) == (300, 0, 1200)


def test_what_was_paid_too_much_is_shown_and_paid_back():
    too_much = ledger(("p2", "paid", 1500))
    assert (account(too_much, "p2").credit, account(too_much, "p2").owed) == (500, 0)
    back = ledger(("p2", "paid", 1500), ("p2", "paid_back", 500))
    assert (account(back, "p2").credit, back.in_hand) == (0, 1000)


def test_one_players_credit_pays_nothing_for_another():
    opened = ledger(("p2", "paid", 5000))
    assert opened.owed == 1500 + 1250


def test_prizes_go_out_of_the_cash_box_and_pay_no_fee():
    opened = ledger(("p1", "paid", 1500), ("p1", "prize", 700))
    assert (account(opened, "p1").won, account(opened, "p1").owed, opened.in_hand) == (700, 0, 800)


def test_money_of_somebody_who_is_no_player_is_not_lost():
    opened = ledger(("p9", "paid", 100))
    assert account(opened, "p9").credit == 100
    assert opened.in_hand == 100


rows = st.lists(st.tuples(st.sampled_from(["p1", "p2", "p3"]), st.sampled_from(FeeKind), st.integers(1, 5000)))


@given(rows, st.sets(st.sampled_from(["p1", "p2", "p3"])))
def test_owed_and_credit_make_up_the_difference_of_due_and_paid(entered, free):
    opened = ledger(*entered, free=free)
    for one in opened.accounts:
        assert one.due - one.paid == one.owed - one.credit
        assert min(one.owed, one.credit) == 0
    signs = {FeeKind.PAID: 1, FeeKind.PAID_BACK: -1, FeeKind.PRIZE: -1}
    assert opened.in_hand == sum(signs[kind] * cents for _, kind, cents in entered)
