"""The access list of Mosquitto: a table writes and reads what is its own, and nothing else."""

from pegboard.mqtt.messages_of_hub import ACK, COMMANDS, EVENTS, EVERY_HUB, ROOT, STATE, STATUS

HEAD = """\
# Access list for Mosquitto: each table writes only its own events, state and status, and reads only messages to it.
# %u is the user name, which is the table's name. In mosquitto.conf: acl_file THIS FILE
"""


def access_list(hub_user: str) -> str:
    """The file that `acl_file` names in mosquitto.conf; `hub_user` is the user name of the hub."""
    writes = [f"pattern write {ROOT}/+/%u/{channel}" for channel in (EVENTS, STATE, STATUS)]
    reads = [f"pattern read {ROOT}/+/%u/{channel}" for channel in (ACK, COMMANDS)]
    own = [f"user {hub_user}", f"topic readwrite {ROOT}/#"]
    return "\n".join([HEAD, *writes, *reads, f"pattern read {EVERY_HUB}", "", *own, ""])
