"""The board that pages draw is that of the setting `table.board`."""

import pytest


@pytest.mark.parametrize("path", ["/", "/tablet", "/board", "/bench"])
def test_pages_of_a_table_with_a_classic_board_say_so_and_load_its_track(serve, bench, path):
    page = serve(bench, board="classic").get(path).body.decode()
    assert 'data-board="classic"' in page
    assert "board/classic_track.js" in page


def test_pages_of_other_tables_load_nothing_of_it(site):
    page = site.get("/board").body.decode()
    assert "data-board" not in page
    assert "classic_track" not in page
