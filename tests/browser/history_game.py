"""The game of the drawing of `/history`, pegged deal by deal, and the numbers that its sheet shows."""

ANN, BOB = 0, 1

DEALS = [  # dealer; play of Ann and Bob; hand of Ann and Bob; crib; score of Ann and Bob
    (BOB, (2, 3), (0, 7), 6, (2, 16)),
    (ANN, (1, 3), (6, 12), 4, (13, 31)),
    (BOB, (0, 4), (6, 4), 0, (19, 39)),
    (ANN, (3, 2), (12, 10), 5, (39, 51)),
    (BOB, (4, 2), (4, 6), 5, (47, 64)),
    (ANN, (4, 2), (6, 6), 10, (67, 72)),
    (BOB, (0, 1), (20, 0), 8, (87, 81)),
    (ANN, (4, 4), (7, 2), 5, (103, 87)),
    (BOB, (2, 1), (16, None), None, (121, 88)),
]
"""As drawn; in the last deal Ann is home before Bob has counted."""

MISCOUNTED = (5, ANN, 4, 6)
"""In the sixth deal Ann's hand was pegged as 4, and corrected to 6."""


def peg(table, deals=DEALS, *, miscounted=False):
    """Peg deals at a table that was laid with Bob to deal; the lines as (seat, points, why)."""
    lines = []
    for number, (dealer, play, hand, crib, _) in enumerate(deals):
        for seat, points in enumerate(play):
            lines += [(seat, min(2, points - at), "play") for at in range(0, points, 2)]
        for seat in (1 - dealer, dealer):
            if hand[seat] is not None:
                wrong = miscounted and (number, seat) == MISCOUNTED[:2]
                lines.append((seat, MISCOUNTED[2] if wrong else hand[seat], "hand"))
        if crib is not None:
            lines.append((dealer, crib, "crib"))
    for one in lines:
        table.score(*one)
    return lines


def drawn(table, **more):
    """The whole game of the drawing with its correction, begun anew."""
    table.lay(dealer=BOB, **more)
    lines = peg(table, miscounted=True)
    hand = [n for n, (seat, points, why) in enumerate(lines, 1) if (seat, points, why) == (ANN, 4, "hand")]
    table.ask("amend", entry=f"{hand[-1]}", points=MISCOUNTED[3], was=MISCOUNTED[2])
    return table
