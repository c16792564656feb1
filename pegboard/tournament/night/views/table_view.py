"""What the orders of tables are made of."""

from pegboard.tournament.night.calls import NO_CALLS, OpenCalls
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.stored_form import plain
from pegboard.tournament.night.views import game_view
from pegboard.tournament.night.views.actions import Json


def table_view(night: Night, calls: OpenCalls = NO_CALLS) -> Json:
    """What the orders of tables are made of: those parts of a director's view, in a fraction of its time."""
    labels = {table.table: table.label for table in night.tables.values()}
    return {
        "revision": night.revision,
        "night": {
            "name": night.opened.name if night.opened else "",
            "rounds": night.last_round,
            "rules": {"points": plain(night.rules.points)},
        },
        "names": night.names,
        "tables": [{"table": one.table, "label": one.label, "kind": one.kind} for one in night.tables.values()],
        "former_boards": list(night.former_boards),
        "rounds": game_view.list_places(night),
        "announcements": [{"text": fact.text} for _, fact in reversed(night.announcements)],
        "calls": calls.as_json(labels),
    }
