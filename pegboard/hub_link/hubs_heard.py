"""What a table has heard of hubs: which are there and serve its event, and what each has acknowledged. Pure."""

from collections.abc import Mapping

from pegboard.hub_link.journal_outbox import NOTHING
from pegboard.hub_protocol.hub_messages import Acknowledged, HubPresence


class HubsHeard:
    """The hubs of one event.

    An acknowledgement counts while its hub is there: another hub, on a new laptop, has stored nothing of what the one
    before acknowledged. Where two are there, an event counts once both have it.
    """

    def __init__(self, event: str) -> None:
        self._event = event
        self._presences: dict[str, HubPresence] = {}
        self._births: dict[str, str] = {}
        self._acknowledged: dict[str, Mapping[str, Acknowledged]] = {}

    @property
    def present(self) -> list[str]:
        """The hubs that are there and serve the event."""
        return [hub for hub, one in self._presences.items() if one.is_online and self._event in one.events]

    @property
    def is_event_unknown(self) -> bool:
        """Whether a hub is there, and none that serves the event."""
        return not self.present and any(one.is_online for one in self._presences.values())

    def forget_presences(self) -> None:
        """The connection is lost; over the next one the broker says anew who is there."""
        self._presences.clear()

    def note_presence(self, presence: HubPresence) -> bool:
        """A hub is there, or not; whether it has been born anew, so that what was sent last may not have arrived."""
        self._presences[presence.hub] = presence
        is_newborn = presence.is_online and self._births.get(presence.hub) != presence.birth
        if is_newborn:
            self._births[presence.hub] = presence.birth
        return is_newborn

    def note_acknowledgement(self, hub: str, acknowledged: Mapping[str, Acknowledged]) -> None:
        """A hub has stored the events up to these, by epoch; the newest word counts, also where it says less."""
        self._acknowledged[hub] = acknowledged

    def common_acknowledgement(self) -> dict[str, Acknowledged]:
        """Up to where every hub that is there has the events of each epoch."""
        of_each = [self._acknowledged.get(hub, {}) for hub in self.present]
        epochs = set().union(*of_each)
        return {epoch: min((one.get(epoch, NOTHING) for one in of_each), key=lambda each: each.seq) for epoch in epochs}
