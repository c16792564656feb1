"""A whole night of eleven, played through the real pages against `pegboard hub`, Mosquitto and a real table.

Two directors (a laptop and a tablet), phones, the big screen. The hub is killed twice; every page comes back by itself.
After each step the pages show what the test has added up on its own. `make test` plays a shorter night: one kill, most
later games told by phones that nobody looks at, no consolation.
"""

import pytest

from tests.browser.hub.before_the_first_game import (
    fees_are_set_and_paid_once,
    one_comes_late_and_a_board_is_carried_in,
    others_join,
    people_come_in,
    the_first_game_begins,
)
from tests.browser.hub.finals_of_a_night import (
    files_are_taken_home,
    pots_are_opened_and_hit,
    pots_are_paid,
    the_bracket_is_played_to_its_winner,
    the_night_ends,
    the_tie_is_broken_and_the_cut_closed,
    who_is_out_plays_on,
)
from tests.browser.hub.rounds_of_a_night import (
    cards_differ_and_judges_rule,
    one_leaves,
    round_one_is_played_and_the_hub_killed,
    the_board_sends_its_result_though_the_hub_was_killed,
    the_last_games_end_in_a_tie,
)
from tests.browser.hub.story_of_a_night import Story
from tests.support.hub_program import HubProgram, broker_with_accounts
from tests.support.long_runs import is_long
from tests.support.program import Service

TABLES = 8
"""Tables that have an account at the broker."""

BROKEN = (
    *("ERR_FAILED", "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING"),
    *("ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"),
)
"""What a console says of a connection that was broken on purpose."""


@pytest.fixture
def story(tmp_path, open_device):
    open_device.excuse(*BROKEN)
    broker = broker_with_accounts(tmp_path, tmp_path / "hub", TABLES).start()
    try:
        hub = HubProgram(tmp_path / "hub", broker.port)
        yield Story(hub, open_device)
        hub.stop()
    finally:
        broker.stop()


@pytest.mark.debian
def test_a_night_of_eleven(story, tmp_path):
    people_come_in(story)
    the_first_game_begins(story)
    others_join(story)
    with Service(tmp_path / "table") as table:
        one_comes_late_and_a_board_is_carried_in(story, table)
        fees_are_set_and_paid_once(story)
        round_one_is_played_and_the_hub_killed(story)
        cards_differ_and_judges_rule(story, story.differ)
        the_board_sends_its_result_though_the_hub_was_killed(story, table.client())
    one_leaves(story)
    pots_are_opened_and_hit(story)
    the_last_games_end_in_a_tie(story)
    the_tie_is_broken_and_the_cut_closed(story)
    the_bracket_is_played_to_its_winner(story)
    if is_long():
        who_is_out_plays_on(story)
    pots_are_paid(story)
    the_night_ends(story)
    files_are_taken_home(story, tmp_path)
    assert all(device.is_as_it_was_opened() for device in story.devices())
