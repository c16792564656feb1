"""`pegboard` as a table that phones reach: `python -m tests.pictures.networked_table run ...` takes its options.

It listens where it is told to, such as on 127.0.0.1, while its pages and its API tell how a phone would join it at
`URL`, with the QR code of that address.
"""

from pegboard.__main__ import main
from tests.support.program import Service
from web.access import invitation as join
from web.access import sessions
from web.table import server

ADDRESS, NAME, PORT = "192.168.1.7", "pegboard.local", 8080
URL = f"http://{ADDRESS}:{PORT}/"


def start(state):
    """Such a table on a port of 127.0.0.1 that the system chooses, with its state in that folder."""
    return Service(state, module="tests.pictures.networked_table")


def invitation(code=None):
    """How one joins, as the program tells it where phones reach it."""
    return join.invitation(ADDRESS, PORT, code)


def pretend():
    """Let pages and API tell of `URL`; what the terminal calls the pages' address stays the true one."""
    create_app, true_invitation = server.create_app, sessions.Access.invitation

    def app_of_reached(*parts, **more):
        return create_app(*parts, **more | {"join": invitation})

    def invitation_to_reached(self):
        told = true_invitation(self)
        return told | invitation(told["code"])

    join.own_name = lambda: NAME
    server.create_app, sessions.Access.invitation = app_of_reached, invitation_to_reached


if __name__ == "__main__":
    pretend()
    main()
