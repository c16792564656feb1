"""What an edited settings file means for a table that plays already: said at start, and for the next game."""

import json

import pytest

from pegboard import Rules
from pegboard.core.moves import Score, Start
from pegboard.core.presets import title
from pegboard.errors import RuleError, SettingError
from pegboard.feed import Feed
from pegboard.startup import settings_file
from pegboard.startup.next_game import FILE, NextGame, seat_next
from pegboard.storage.journal.journal import Journal
from pegboard.table.scoreboard import Scoreboard
from tests.support.program import Service


class House:
    """A table that is started again and again with a settings file of any text."""

    def __init__(self, folder):
        self.folder, self.file = folder / "state", folder / "pegboard.toml"
        self.journal = None

    def start(self, text="", **options):
        """Start the program anew with that file; what it says of the next game."""
        if self.journal:
            self.journal.close()
        self.file.write_text(text, "utf-8")
        next_game = NextGame(settings_file.read(self.file), **options)
        self.journal = Journal(self.folder)
        first = next_game.first_setup()
        self.board = Scoreboard(self.journal, Feed(), first, house=next_game.add_house_rules)
        return [said.replace(f"{self.file} ", "") for said in seat_next(self.board, next_game, self.folder)]

    def score(self, points=5, seat=0):
        base = self.board.view.game.revisions[seat]
        command = Score(points, seat)
        view = self.board.view
        self.board.handle(command, source="test", id=f"tap-{view.revision}-123456789", game=view.id, base=base)

    def play_on(self, **changes):
        """A director starts another game on a phone."""
        view = self.board.view
        rules = changes.pop("rules", view.game.rules)
        start = Start(rules, changes.pop("players", view.game.players), **changes)
        self.board.handle(
            start,
            source="test",
            id=f"start-{view.revision}-123456",
            base=view.revision,
            replaces=view.id,
            director=True,
        )

    def finish(self):
        while self.board.view.game.outcome is None:
            self.score(29)
        self.board.keys.deal()

    @property
    def plays(self):
        view = self.board.view
        return view.game.rules.variant, view.game.players, view.match.format


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    house.journal.close()


ZOE = '[table]\nplayers = ["Cy", "Dee"]\n'


def test_new_table_plays_what_the_file_says(house):
    assert house.start(ZOE + 'variant = "short"\nmatch = "Best of 3"\n') == []
    assert house.plays == ("short", ("Cy", "Dee"), "best of 3")


def test_names_of_the_settings_are_taken_as_people_type_them(house):
    house.start('[table]\nvariant = "Three handed"\nmatch = "bestof3"\nhouse = ["Muggins = ON"]\n')
    assert house.plays == ("three-handed", ("Ann", "Bob", "Cy"), "best of 3")
    assert house.board.view.game.rules.muggins
    house.score()
    assert house.start('[table]\nvariant = "three_handed"\nmatch = "Best of 3"\nhouse = ["muggins=on"]\n') == []


def test_players_named_during_a_game_play_from_the_next_one_on_and_it_is_said(house):
    house.start()
    house.score()
    assert "names Cy and Dee; they play from the next game on." in house.start(ZOE)
    assert house.plays[1] == ("Ann", "Bob")
    house.finish()
    assert house.plays[1] == ("Cy", "Dee")
    assert house.start(ZOE) == []


def test_players_named_before_anything_is_scored_play_at_once(house):
    house.start()
    assert house.start(ZOE) == []
    assert house.plays[1] == ("Cy", "Dee")


@pytest.mark.parametrize(
    ("line", "sentence", "plays"),
    [
        ('variant = "short"', "sets variant short; it starts with the next game.", ("short", ("Ann", "Bob"), "open")),
        ('match = "best of 3"', "sets match best of 3; it starts", ("standard", ("Ann", "Bob"), "best of 3")),
        (
            'variant = "three-handed"',
            "sets variant three-handed; it starts",
            ("three-handed", ("Ann", "Bob", "Cy"), "open"),
        ),
    ],
)
def test_what_else_has_changed_is_for_the_next_game_too(house, line, sentence, plays):
    house.start("[table]\n")
    house.score()
    assert any(sentence in said for said in house.start(f"[table]\n{line}\n"))
    assert house.plays == ("standard", ("Ann", "Bob"), "open")
    house.finish()
    assert house.plays == plays


def test_too_few_players_in_the_file_for_the_variant_of_an_option_are_told_with_their_line(house):
    house.start("[table]\n")
    house.score()
    with pytest.raises(SettingError, match=r"pegboard\.toml, line 2: partners is for 4 players, not 2$"):
        house.start('[table]\nplayers = ["Cy", "Dee"]\n', variant="partners")


def test_too_few_players_in_the_file_are_no_matter_where_others_play(house):
    house.start(ZOE)
    house.play_on(rules=Rules.named("partners"), players=("Ann", "Bob", "Cy", "Dee"))
    house.score()
    house.start(ZOE, variant="partners")
    assert house.plays[:2] == ("partners", ("Ann", "Bob", "Cy", "Dee"))


def test_one_player_plays(house):
    house.start("[table]\n")
    house.score()
    said = house.start('[table]\nplayers = ["Cy"]\nvariant = "solitaire"\n')
    assert said[0] == "Next game: Cy plays solitaire."


def test_a_setting_that_an_option_speaks_against_is_not_said_to_be_played(house):
    house.start("[table]\n")
    house.score()
    assert house.start('[table]\nvariant = "three-handed"\n', players="Cy,Dee") == ["Next game: Cy, Dee play standard."]
    house.finish()
    assert house.plays == ("standard", ("Cy", "Dee"), "open")


def test_house_rules_that_have_changed_are_for_the_next_game(house):
    house.start("[table]\n")
    house.score()
    said = house.start('[table]\nhouse = ["muggins=on"]\n')
    assert "sets muggins=on; this starts with the next game." in said
    assert not house.board.view.game.rules.muggins
    house.finish()
    assert house.board.view.game.rules.muggins


def test_change_survives_a_power_cut_before_the_next_game(house):
    house.start()
    house.score()
    house.start(ZOE)
    for _ in range(3):
        assert "names Cy and Dee; they play from the next game on." in house.start(ZOE)
    house.finish()
    assert house.plays[1] == ("Cy", "Dee")


def test_file_that_has_not_changed_undoes_no_choice_of_a_phone(house):
    house.start(ZOE)
    house.score()
    house.play_on(players=("Ann", "Bob"), format="best of 5")
    house.score()
    assert house.start(ZOE) == ["names Cy and Dee, but the players chosen since stay."]
    house.finish()
    assert house.plays[1:] == (("Ann", "Bob"), "best of 5")


def test_game_started_on_a_phone_after_the_change_is_newer_than_the_file(house):
    house.start()
    house.score()
    house.start(ZOE)
    house.play_on(players=("Bob", "Cy"))
    house.score()
    assert house.start(ZOE) == ["names Cy and Dee, but the players chosen since stay."]
    house.finish()
    assert house.plays[1] == ("Bob", "Cy")


def test_file_that_is_left_out_once_has_not_changed(house):
    house.start(ZOE)
    house.score()
    house.play_on(players=("Ann", "Bob"))
    house.score()
    house.start()
    house.start(ZOE)
    house.finish()
    assert house.plays[1] == ("Ann", "Bob")


def test_option_goes_before_the_file(house):
    house.start()
    house.score()
    assert house.start(ZOE, players="Bob, Dee") == ["Next game: Bob, Dee play standard."]
    house.finish()
    assert house.plays[1] == ("Bob", "Dee")


def test_table_of_before_these_records_takes_what_its_file_says_otherwise(house):
    house.start()
    house.score()
    (house.folder / FILE).unlink()
    assert "names Cy and Dee; they play from the next game on." in house.start(ZOE)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"values": 3, "pending": [], "game": ""}', '{"values": {}}', "\0"])
def test_record_that_cannot_be_read_holds_up_nothing(house, text):
    house.start()
    house.score()
    (house.folder / FILE).write_text(text)
    assert "names Cy and Dee; they play from the next game on." in house.start(ZOE)
    assert json.loads((house.folder / FILE).read_text())["pending"] == ["players"]


def test_record_that_cannot_be_written_holds_up_nothing(house):
    house.start()
    house.score()
    (house.folder / FILE).unlink()
    (house.folder / FILE).with_suffix(".new").mkdir()
    assert "names Cy and Dee; they play from the next game on." in house.start(ZOE)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[table]\n\nvariant = "whist"', "line 3: there is no variant 'whist'"),
        ('[table]\nhouse = ["jokers=wild"]', "line 2: there is no house rule 'jokers'"),
        ('[table]\nhouse = ["muggins=on", "muggins=off"]', "line 2: the house rule muggins is given twice"),
        ('[table]\nmatch = "best of 4"', "line 2: there is no match format 'best of 4'"),
        (
            '[table]\nboard = "classik"',
            "line 2: there is no board 'classik'; use streets or classic; did you mean",
        ),
        ('[table]\nplayers = ["Ann"]', "line 2: standard is for 2 players, not 1"),
        ('[table]\nplayers = ["Ann", " "]', "line 2: a player's name must have 1 to 64 characters"),
    ],
)
def test_what_does_not_fit_is_told_with_file_and_line(house, text, sentence):
    house.start()
    house.score()
    with pytest.raises(SettingError, match=sentence):
        house.start(text)
    house.start()
    assert house.board.view.game.lanes[0].front == 5


def test_program_says_it_at_its_start(tmp_path):
    file = tmp_path / "pegboard.toml"
    file.write_text('[table]\nplayers = ["Cy", "Dee"]\n')
    with Service(tmp_path / "state") as service:
        service.client().score(0, 5)
    with Service(tmp_path / "state", "--config", str(file)) as service:
        service.stop()
        said = "".join(service.said) + service.process.stdout.read()
    assert f"{file} names Cy and Dee; they play from the next game on." in said


# --- presets ---

LAWS = '[table]\npreset = "1922-LAWS"\n'


def preset_of(house):
    return house.board.view.game.rules.preset, title(house.board.view.game.rules)


def test_new_table_plays_by_the_sheet_of_the_file(house):
    assert house.start(LAWS + 'house = ["peg out=on"]\n') == []
    assert preset_of(house) == ("1922 laws", "1922 laws, changed: peg out=on")
    house.finish()
    assert preset_of(house) == ("1922 laws", "1922 laws, changed: peg out=on")


def test_the_sheet_of_the_file_is_played_with_a_variant_that_it_describes(house):
    house.start('[table]\npreset = "Box sheet"\nvariant = "partners"\n')
    assert house.plays[0] == "partners"
    assert preset_of(house)[1] == "Box sheet (partners)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('preset = "1922 law"', "line 2: there is no preset '1922 law'; use one of .*did you mean 1922 laws"),
        ('preset = "1922 laws"\nvariant = "partners"', "line 2: 1922 laws is not played as partners"),
    ],
)
def test_a_sheet_of_the_file_that_cannot_be_played_is_told_with_its_line(house, text, sentence):
    house.start()
    with pytest.raises(SettingError, match=sentence):
        house.start(f"[table]\n{text}\n")


def test_a_sheet_named_during_a_game_is_for_the_next_one_and_it_is_said(house):
    house.start("[table]\n")
    house.score()
    assert "sets the preset 1922-LAWS; it starts with the next game." in house.start(LAWS)
    assert preset_of(house)[0] == ""
    house.finish()
    assert preset_of(house)[0] == "1922 laws"
    house.score()
    house.finish()
    assert house.start(LAWS) == []


def test_a_sheet_chosen_on_a_phone_stays_through_a_restart(house):
    house.start(LAWS)
    house.play_on(rules=Rules(), preset="Complete guide", house=("misdeal=2",))
    house.score()
    assert house.start(LAWS) == ["sets the preset 1922-LAWS, but a newer choice stays."]
    house.finish()
    assert preset_of(house)[1] == "Complete guide, changed: misdeal=2"


def test_the_option_goes_before_the_file_and_its_house_rules_change_the_sheet(house):
    house.start(
        '[table]\nvariant = "three-handed"\nhouse = ["muggins=on"]\n', preset="1922 laws", house=("game hole=61",)
    )
    assert house.plays[:2] == ("standard", ("Ann", "Bob"))
    assert preset_of(house)[1] == "1922 laws with game hole=61"


def test_another_variant_by_an_option_sets_the_sheet_of_the_file_aside(house):
    house.start(LAWS, variant="three-handed")
    assert preset_of(house) == ("", "three-handed")


@pytest.mark.parametrize(
    ("players", "variant"),
    [("Ann,Bob,Cy", "three-handed"), ("Ann,Bob,Cy,Dee", "partners"), ("Ann,Bob", "standard"), ("Ann", "solitaire")],
)
def test_so_many_players_play_the_sheet_in_the_variant_for_them(house, players, variant):
    house.start(preset="Complete guide", players=players)
    assert (house.plays[0], preset_of(house)[0]) == (variant, "Complete guide")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"preset": "1922 laws", "variant": "partners"},
            "^1922 laws is not played as partners; use standard, or",
        ),
        ({"preset": "1922 laws", "players": "Ann,Bob,Cy"}, "^1922 laws is for 2 players, not 3; name as many or leave"),
        ({"preset": "Box sheet", "players": "Ann"}, "^Box sheet is for 2, 3 or 4 players, not 1; name as many"),
        ({"house": ("muggins=on", "muggins=off")}, "^the house rule muggins is given twice"),
    ],
)
def test_options_that_contradict_each_other_are_refused_in_one_sentence(house, options, sentence):
    house.start()
    with pytest.raises(RuleError, match=sentence):
        house.start(**options)


def test_a_variant_started_on_a_phone_is_played_by_the_sheet_of_the_table(house):
    house.start('[table]\npreset = "Box sheet"\n')
    house.play_on(rules=Rules.named("three-handed"), players=("Ann", "Bob", "Cy"))
    assert preset_of(house)[1] == "Box sheet (three-handed)"
    house.play_on(rules=Rules.named("short"), players=("Ann", "Bob"))
    assert preset_of(house) == ("", "short")
