"""The channels of one night: what its pages are sent, part by part, and who looks on."""

from dataclasses import dataclass, field

from web.hub.view_parts import Audience, Json
from web.live.viewer import Channel, Viewer


@dataclass(eq=False, slots=True)
class NightChannels:
    """The channels of one night, and who looks on.

    Attributes:
        parts: by audience and the part's name.
        tables: of the live rows, by table.
        table_of: where each player sits who looks on.
        viewers: each with the audience that it is of.
        alarms: those that directors were shown last.
        is_due: whether the views are to be computed again.
        is_busy: whether they are being computed.
        is_waiting: whether they will be computed again in a while, as the database is away.
    """

    parts: dict[tuple[Audience, str], Channel] = field(default_factory=dict)
    tables: dict[str, Channel] = field(default_factory=dict)
    table_of: dict[str, str] = field(default_factory=dict)
    viewers: dict[Viewer, Audience] = field(default_factory=dict)
    alarms: list[Json] = field(default_factory=list)
    is_due: bool = False
    is_busy: bool = False
    is_waiting: bool = False
