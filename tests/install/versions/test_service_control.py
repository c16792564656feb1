"""What the installer asks the running table, on a real one."""

from pegboard.install.versions.service_control import SystemdService
from tests.support.program import Service


def test_a_game_is_being_played_from_its_first_line_to_its_end(tmp_path):
    """Between two deals too, where nothing of the deal has been scored yet."""
    state = tmp_path / "state"
    with Service(state) as table:
        service, client = SystemdService(state), table.client()
        assert not service.is_playing()
        for seat, points, why in ((1, 2, "play"), (1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib")):
            assert client.score(seat, points, why)[0] == 201
            assert service.is_playing()
        for points in (29, 29, 29, 24):
            assert client.score(0, points)[0] == 201
        assert not service.is_playing()
    assert not service.is_playing()
