"""Which refusals each page can meet, so that no other page loads their translations."""

from web.pages.catalog_check import REFUSALS

REFUSAL_KEYS = f"{REFUSALS}."
"""The beginning of the keys of the sentences that the table itself says."""

NOWHERE = (
    *("score_of_whom", "lane_of_seat", "was_points", "result_form", "no_reason", "no_lane", "no_seat", "only_zero"),
    *("zero_to", "id_reused", "base_missing", "viewers", "windows", "which_opponent", "no_opponent", "running_over"),
    *("no_line", "many_lines", "one_line", "deal_new", "deal_whose", "stage_none", "stage_alone", "amend_nothing"),
    "say_who_first",
)
"""Keys of refusals that no page of ours can meet, so that none need load them."""

CORRECTING = (
    *(
        "amend_moved",
        "amend_no_why",
        "amend_penalty",
        "amend_same_lane",
        "amend_to_penalty",
        "amend_whose",
        "amend_why",
    ),
    *("deal_said", "stage_already", "thirty_one_two", "heels_two", "not_a_score", "note_unseen"),
    *("penalty_alone", "muggins_alone", "muggins_not_played", "no_penalty", "no_result", "not_finished"),
    "amend_pinned",
)
"""Keys of refusals that a score pad hardly meets, because it offers only what is possible."""

HUB_PAGES = {
    f"hub/{page}.html"
    for page in ("card", "desk", "door", "join", "nights", "phone", "result", "screen", "season", "seat")
}
"""Pages of a hub that show sentences; what is printed has them by `translate`."""

ONLY_ON = {
    **{f"{REFUSAL_KEYS}{key}": set[str]() for key in NOWHERE},
    f"{REFUSAL_KEYS}too_large": {"history.html"},
    f"{REFUSAL_KEYS}no_game": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}other_match": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}opens_again": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}retracted": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}muggins_cut": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}card_": {"count.html", "play.html"},
    f"{REFUSAL_KEYS}play_": {"count.html", "play.html"},
    f"{REFUSAL_KEYS}rules_": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}brightness_": {"settings.html"},
    f"{REFUSAL_KEYS}note_length": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}director_house": {"settings.html"},
    f"{REFUSAL_KEYS}device_": {"health.html", "bench.html"},
    f"{REFUSAL_KEYS}stall_": {"health.html"},
    f"{REFUSAL_KEYS}name_": {"settings.html", "history.html", "later/pad_dialog_words.html"},
    f"{REFUSAL_KEYS}event_": {"event.html", "later/event_words.html"},
    f"{REFUSAL_KEYS}result_code_": {"event.html", "hub/result.html"},
    f"{REFUSAL_KEYS}called_": {"settings.html", "history.html", "later/pad_dialog_words.html"},
    f"{REFUSAL_KEYS}players": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}many_players": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}one_player": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}director_match": {"settings.html"},
    f"{REFUSAL_KEYS}unpair_": {"settings.html"},
    f"{REFUSAL_KEYS}see_paired": {"settings.html"},
    f"{REFUSAL_KEYS}no_such_device": {"settings.html"},
    f"{REFUSAL_KEYS}power_director": {"settings.html"},
    f"{REFUSAL_KEYS}install_": {"settings.html"},
    f"{REFUSAL_KEYS}after_the_end": {"game.html", "history.html"},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in CORRECTING},
    f"{REFUSAL_KEYS}not_ended": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}import_": {"history.html"},
    f"{REFUSAL_KEYS}nothing_imported": {"history.html"},
    f"{REFUSAL_KEYS}since": {"stats.html", "history.html"},
    f"{REFUSAL_KEYS}no_such_game": {"stats.html", "history.html", "game.html"},
    **{f"{REFUSAL_KEYS}{key}": {"health.html"} for key in ("backup_", "catalog_")},
    f"{REFUSAL_KEYS}code_form": {"join.html"},
    f"{REFUSAL_KEYS}foreign_origin": {"join.html"},  # a page of this table meets it only through a faulty proxy
    f"{REFUSAL_KEYS}wrong_code": {"join.html"},
    **{
        f"{REFUSAL_KEYS}{key}": {"join.html"}
        for key in ("too_many_tries", "too_many_paired", "too_many_pairings", "too_many_wrong_codes")
    },
    f"{REFUSAL_KEYS}peg_back": {"game.html", "history.html"},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in ("pegs_stand", "pegs_stay", "reserved_ruling")},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in ("nothing_after_line", "sheet_empty")},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in ("points_claimed", "points_missed")},
    f"{REFUSAL_KEYS}no_false_claim": {"game.html", "history.html"},
    **{
        f"{REFUSAL_KEYS}{key}": {"later/alarm_words.html"}
        for key in ("alarm_", "journal_", "memory_", "moved_journal", "scores_", "state_")
    },
    f"{REFUSAL_KEYS}true_fewer": {"game.html", "history.html"},
    **{
        f"{REFUSAL_KEYS}{key}": HUB_PAGES
        for key in ("desk_", "hub_", "movement_", "night_", "playoffs_", "pots_", "results_")
    },
    f"{REFUSAL_KEYS}package_": {"hub/season.html"},
}
"""Keys of refusals that only these pages can meet: a phone need not load them. One that ends in `_` begins many."""
