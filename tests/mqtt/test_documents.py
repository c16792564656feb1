"""What is published, as Home Assistant reads it: its own templates are rendered over real states."""

import json
import re
import unicodedata

import pytest
from jinja2 import Environment, StrictUndefined

import pegboard
from pegboard import Rules
from pegboard.core.view import Device
from pegboard.core.view_as_json import snapshot
from pegboard.mqtt.home_assistant import LONGEST_STATE, discovery_document, table_state, topics_of
from tests.support.player_names import SIX
from tests.support.views import dealt, table
from tests.support.views_of_dealt_games import views_of

TOPICS = topics_of("Kitchen", "pegboard", "homeassistant")


def rendered(template, state):
    """A template over a payload, as Home Assistant renders it: with `value_json`."""
    environment = Environment(undefined=StrictUndefined)
    environment.filters["tojson"] = json.dumps
    return environment.from_string(template).render(value_json=json.loads(json.dumps(state)))


def sensors(view):
    """What each sensor shows, by its id; sensors that are taken away are left out."""
    state = table_state(view, "MQTT")
    names = [lane["name"] for lane in state["lanes"]]
    components = discovery_document(TOPICS, "Kitchen", names, None)["components"]
    there = {name: values for name, values in components.items() if len(values) > 1}
    return {name: rendered(values["value_template"], state) for name, values in there.items()}, there, state


@pytest.mark.sampled
@pytest.mark.parametrize(
    "variant", ["standard", "three-handed", "partners", "five-card", "cut-throat-four", "six-partners"]
)
def test_every_state_of_dealt_games_is_one_that_its_sensor_takes(variant):
    seats = Rules.named(variant).seats
    for view in views_of(3, variant, SIX[:seats]):
        shown, components, state = sensors(view)
        for name, text in shown.items():
            options = components[name].get("options")
            assert len(text) <= LONGEST_STATE
            assert options is None or text in {*options, "None"}, (name, text)
        lanes = snapshot(view)["lanes"]
        assert [shown[f"score_{'abcd'[lane]}"] for lane in range(len(lanes))] == [str(lane["front"]) for lane in lanes]
        for lane in range(len(lanes)):
            own = json.loads(rendered(components[f"score_{'abcd'[lane]}"]["json_attributes_template"], state))
            assert own["rear_peg"] == lanes[lane]["rear"]


def test_who_counts_is_shown_and_who_deals():
    pegs = dealt((1, 2, "play"), dealer=0)
    counting = dealt((1, 2, "play"), (1, 8, "hand"), dealer=0)
    assert sensors(pegs)[0]["dealer"] == "Ann"
    assert sensors(counting)[0]["counts"] == "Ann"
    assert sensors(pegs)[0]["winner"] == "None"


@pytest.mark.parametrize(("loser", "skunk"), [(95, "none"), (90, "skunk"), (60, "double skunk")])
def test_a_skunk_is_shown_when_the_game_is_over(loser, skunk):
    """The lines are those of the American Cribbage Congress: 91 and 61 holes save from them."""
    won = table((121, 110), (loser, loser - 4), winner=0, skunks=(0, Rules.named("standard").skunks_of(loser)))
    shown = sensors(won)[0]
    assert (shown["winner"], shown["skunk"]) == ("Ann", skunk)


def test_trouble_is_that_of_the_devices_and_not_the_brokers_own():
    view = dealt((0, 2))
    both = type(view)(view.game, view.match, view.dialled, devices=(Device("OLED", "gone"), Device("MQTT", "lost")))
    shown, _, state = sensors(both)
    assert shown["trouble"] == "ON"
    assert state["trouble"] == ["OLED"]


def test_a_lane_that_the_game_lacks_is_taken_away():
    """Home Assistant removes a component of which only the platform is left (MQTT: device discovery payload)."""
    document = discovery_document(TOPICS, "Kitchen", ["Ann", "Bob"], None)
    assert document["components"]["score_c"] == {"platform": "sensor"}


def test_ids_stay_when_players_change():
    before, after = (discovery_document(TOPICS, "Kitchen", who, None)["components"] for who in (["Ann", "Bob"], ["Cy"]))
    for name in ("score_a", "dealer"):
        assert before[name]["unique_id"] == after[name]["unique_id"]


@pytest.mark.parametrize(
    "names", [("Стол", "Tisch"), ("Стол 1", "Столик 1"), ("桌", "几"), ("#", "+"), ("Käche", "Küche"), ("7/9", "7-9")]
)
def test_names_that_differ_have_ids_that_differ(names):
    one, other = (topics_of(name, "pegboard", "homeassistant") for name in names)
    assert len({one.table, other.table, one.root, other.root, one.discovery, other.discovery}) == 6


def test_a_name_has_one_id_however_its_letters_are_composed():
    composed, parts = (topics_of(unicodedata.normalize(form, "Küche"), "pegboard", "") for form in ("NFC", "NFD"))
    assert composed == parts
    assert composed.table.startswith("pegboard-kuche-")


@pytest.mark.parametrize(
    ("name", "root"), [("Kitchen", "kitchen"), ("Living  Room", "living-room"), ("pegboard-4", "pegboard-4")]
)
def test_a_name_in_plain_letters_is_its_id(name, root):
    assert topics_of(name, "pegboard", "").root == f"pegboard/{root}"


def test_entity_ids_are_said_for_home_assistants_before_and_after_2025_10():
    for component in discovery_document(TOPICS, "Kitchen", ["Ann", "Bob"], None)["components"].values():
        if len(component) > 1:
            assert component["default_entity_id"] == f"{component['platform']}.{component['object_id']}"


@pytest.mark.parametrize("name", ["Kitchen", "Küche am Fenster", "#+/", "", "pegboard", "Table 7/9"])
def test_topics_hold_nothing_that_mqtt_or_home_assistant_does_not_take(name):
    """No wildcard (MQTT 3.1.1, 4.7.1); Home Assistant's node and object ids are [a-zA-Z0-9_-]+."""
    topics = topics_of(name, "pegboard", "homeassistant")
    assert re.fullmatch(r"pegboard/[a-z0-9_-]+", topics.root)
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", topics.discovery)


def test_a_name_with_a_template_in_it_stays_a_name():
    game = pegboard.new_game(Rules.named("standard"), players=("{{ 7 * 7 }}", "Bob"))
    view = dealt((0, 2))
    own = type(view)(game, view.match, view.dialled)
    assert "49" not in sensors(own)[0]["dealer"]
