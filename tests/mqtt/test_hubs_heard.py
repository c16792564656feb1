"""What a table has heard of hubs: which acknowledgement counts."""

from pegboard.mqtt.messages_of_hub import Acknowledged, HubPresence
from pegboard.mqtt.outbox import KnownHubs

EVENT, EPOCH = "club-night", "e1"


def presence(hub="aaaaaaaa", birth="01", online=True, events=(EVENT,)):
    return HubPresence(hub, online, birth, events)


def heard(*presences):
    own = KnownHubs(EVENT)
    for each in presences:
        own.note_presence(each)
    return own


def test_a_hub_that_is_born_anew_is_news_and_the_same_again_is_none():
    own = KnownHubs(EVENT)
    assert own.note_presence(presence())
    assert not own.note_presence(presence())
    assert own.note_presence(presence(birth="02"))
    assert not own.note_presence(presence(online=False))


def test_an_acknowledgement_counts_while_its_hub_is_there():
    own = heard(presence())
    own.note_acknowledgement("aaaaaaaa", {EPOCH: Acknowledged(9, "c9")})
    assert own.common_acknowledgement() == {EPOCH: Acknowledged(9, "c9")}
    own.note_presence(presence(online=False))
    assert own.common_acknowledgement() == {}


def test_a_new_laptop_gets_everything():
    """The broker still has what the old hub acknowledged."""
    own = heard(presence(online=False), presence("bbbbbbbb"))
    own.note_acknowledgement("aaaaaaaa", {EPOCH: Acknowledged(9, "c9")})
    assert own.present == ["bbbbbbbb"]
    assert own.common_acknowledgement() == {}


def test_with_two_hubs_an_event_counts_once_both_have_it():
    own = heard(presence(), presence("bbbbbbbb"))
    own.note_acknowledgement("aaaaaaaa", {EPOCH: Acknowledged(9, "c9")})
    assert own.common_acknowledgement()[EPOCH].seq == 0
    own.note_acknowledgement("bbbbbbbb", {EPOCH: Acknowledged(4, "c4")})
    assert own.common_acknowledgement() == {EPOCH: Acknowledged(4, "c4")}


def test_a_hub_of_another_event_is_none():
    own = heard(presence(events=("other",)))
    assert (own.present, own.is_event_unknown) == ([], True)
    own.note_presence(presence(events=("other", EVENT)))
    assert (own.present, own.is_event_unknown) == (["aaaaaaaa"], False)
