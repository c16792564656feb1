"""The database of the ledger: durable and read back, migrated, and a sentence where it cannot be used."""

import shutil
import socket
import subprocess
import sys

import pytest
from sqlalchemy import text

from pegboard.hub.hub_transport import HubTransport
from pegboard.hub.ledger import database, hub_errors
from pegboard.hub.ledger.database import open_engine, reading, writing
from pegboard.hub.ledger.event_store import MessageOutcome
from pegboard.hub.ledger.hub_errors import HubError, HubNotNow, LedgerNotStored
from pegboard.hub.ledger.ledger import UploadedPackages, open_ledger
from pegboard.hub.ledger.ledger_tables import STEPS, migrate
from pegboard.mqtt.broker_session import BrokerAddress
from tests.support.small_disk import on_small_disk
from tests.support.table_messages import WrittenJournal
from tests.support.waiting import soon

EVENT = "club-night"


def test_a_commit_waits_for_the_disk(ledger):
    with reading(ledger.engine) as connection:
        if ledger.engine.dialect.name == "sqlite":
            asked = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
            assert asked == ["wal", 2]
        else:
            asked = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in ("synchronous_commit", "fsync")]
            assert asked == ["on", "on"]


def test_one_event_is_stored_by_the_keys_of_a_server_however_many_tables_it_has_heard_of(postgresql):
    url, own = postgresql.new_database(), WrittenJournal("t99").score(20)
    with open_ledger(url) as ledger:
        ledger.open_event(EVENT)
        ledger.events_of_tables.store([WrittenJournal(f"t{n}").score(1).arrival() for n in range(100, 4000)])
        with ledger.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
    with open_ledger(url) as ledger:
        for number in range(1, 21):
            ledger.events_of_tables.store([own.arrival(number, number)])
    soon(lambda: _reads_of_watermarks(url)[0] >= 19)  # a connection tells what it has done when it ends
    assert _reads_of_watermarks(url)[1] < 5


def _reads_of_watermarks(url):
    """How often PostgreSQL has looked for watermarks by their key, and read all of them."""
    engine = open_engine(url)
    with reading(engine) as connection:
        query = "SELECT idx_scan, seq_scan FROM pg_stat_user_tables WHERE relname = 'watermark'"
        found = connection.exec_driver_sql(query).one()
    engine.dispose()
    return found


def test_a_server_that_does_not_wait_for_its_disk_is_refused(postgresql):
    url = postgresql.new_database()
    name = url.rpartition("/")[2]
    engine = open_engine(url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ALTER SYSTEM SET full_page_writes = off")
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    engine.dispose()
    try:
        soon(lambda: is_refused(url))
    finally:
        _reset(postgresql, name)


def _end_connections(postgresql, name):
    """As a server that is begun again does."""
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    _run_statement(postgresql, "postgres", end)


def test_a_connection_that_the_server_has_ended_costs_no_decision(postgresql, monkeypatch):
    """As after a restart of the server, between two games."""
    url = postgresql.new_database()
    name = url.rpartition("/")[2]
    with open_ledger(url) as ledger:
        ledger.open_event(EVENT)
        _end_connections(postgresql, name)
        monkeypatch.setattr(database, "IDLE_S", 0.0)
        ledger.open_event("next-night")
        assert [event.name for event in ledger.open_events()] == [EVENT, "next-night"]


def test_a_connection_that_the_server_has_ended_a_moment_ago_costs_one_refusal_and_nothing_else(postgresql):
    url = postgresql.new_database()
    name = url.rpartition("/")[2]
    with open_ledger(url) as ledger:
        ledger.open_event(EVENT)
        _end_connections(postgresql, name)
        with pytest.raises((HubNotNow, LedgerNotStored)):
            ledger.open_event("next-night")
        ledger.open_event("next-night")
        assert [event.name for event in ledger.open_events()] == [EVENT, "next-night"]


def test_a_server_whose_machine_is_gone_is_waited_for_no_longer_than_it_says(postgresql):
    """What the kernel is told of the connection: no packet is lost on this machine to see it by."""
    names = ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
    with (
        open_ledger(postgresql.new_database()) as ledger,
        ledger.engine.connect() as connection,
        socket.fromfd(connection.connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as seen,
    ):
        assert seen.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert [seen.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names] == [5000, 5, 1, 5]


def test_a_lock_of_another_program_is_waited_for_and_then_said(postgresql, monkeypatch):
    monkeypatch.setattr(database, "WAITS_S", 1)
    with open_ledger(postgresql.new_database()) as ledger:
        ledger.open_event(EVENT)
        with ledger.engine.connect() as other, other.begin():
            other.exec_driver_sql("LOCK TABLE night_event IN ACCESS EXCLUSIVE MODE")
            with pytest.raises((HubNotNow, LedgerNotStored), match="lock timeout"):
                ledger.open_event("next-night")
        ledger.open_event("next-night")


def is_refused(url):
    """Whether a sentence says so; the server takes a moment to read its settings."""
    try:
        open_engine(url).dispose()
    except HubError as error:
        return "full_page_writes off" in str(error)
    return False


def _reset(postgresql, name):
    for statement in ("ALTER SYSTEM RESET full_page_writes", "SELECT pg_reload_conf()"):
        _run_statement(postgresql, name, statement)


def _run_statement(postgresql, database, statement):
    words = ["-h", "127.0.0.1", "-p", str(postgresql.port), "-U", "pegboard", "-d", database, "-qc", statement]
    subprocess.run([postgresql.programs / "psql", *words], check=True, capture_output=True)


def test_synchronous_commit_is_set_where_the_server_has_it_off(postgresql):
    url = postgresql.new_database()
    name = url.rpartition("/")[2]
    engine = open_engine(url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    engine.dispose()
    with open_ledger(url) as ledger, reading(ledger.engine) as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_a_ledger_keeps_its_id(database):
    with open_ledger(database) as first:
        known = first.hub_id
    with open_ledger(database) as again:
        assert again.hub_id == known


def test_an_event_is_opened_once(ledger):
    assert ledger.open_event(EVENT, "Another label").label == "Club night"
    ledger.open_event("second")
    assert [(one.name, one.label) for one in ledger.open_events()] == [(EVENT, "Club night"), ("second", "second")]


@pytest.mark.parametrize("name", ["", "Club Night", "a" * 33, "a/b", "#", "é"])
def test_the_name_of_an_event_can_stand_in_a_topic(ledger, name):
    with pytest.raises(HubError, match="is not a valid event name; use 1 to 32 lowercase letters"):
        ledger.open_event(name)


@pytest.mark.parametrize("url", ["", "hub.db", "mysql://localhost/hub", "sqlite://", "sqlite:///:memory:", "postgres"])
def test_another_url_is_refused_with_what_is_taken(url):
    with pytest.raises(HubError, match="sqlite:////FOLDER/FILE"):
        open_ledger(url)


def test_a_server_that_is_not_there_is_said_without_its_password():
    with pytest.raises(HubNotNow, match="is not answering") as caught:
        open_ledger("postgresql://hub:secret@127.0.0.1:9/night")
    assert "secret" not in str(caught.value)
    assert "postgresql://hub:***@127.0.0.1:9/night" in str(caught.value)


def test_a_folder_that_may_not_be_written_is_said():
    with pytest.raises(HubNotNow, match=r"/proc/hub/hub\.db"):
        open_ledger("sqlite:////proc/hub/hub.db")


READS = {
    "open_events": lambda ledger: ledger.open_events(),
    "rows_of": lambda ledger: ledger.rows_of(EVENT),
    "alarms": lambda ledger: ledger.alarms(EVENT),
    "read_quarantine": lambda ledger: ledger.read_quarantine(EVENT),
    "HubTransport": lambda ledger: HubTransport(ledger, BrokerAddress("127.0.0.1", 1883), jitter=lambda: 0.5),
}
"""What reads the ledger, by its name."""


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_where_the_database_goes_away_whoever_reads_it_cannot_now(tmp_path, read):
    folder = tmp_path / "state"
    folder.mkdir()
    with open_ledger(f"sqlite:///{folder}/hub.db") as ledger:
        ledger.open_event(EVENT)
        ledger.close()
        shutil.rmtree(folder)
        with pytest.raises(HubNotNow, match=r"hub\.db"):
            read(ledger)


def test_the_database_of_another_program_is_left_alone(database):
    engine = open_engine(database)
    with writing(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE about (name TEXT)")
    engine.dispose()
    with pytest.raises(HubError, match="belongs to another program; name an empty database"):
        open_ledger(database)


def test_a_ledger_of_a_newer_version_is_left_alone(database):
    with open_ledger(database) as ledger, writing(ledger.engine) as connection:
        connection.exec_driver_sql("UPDATE about SET version = 99")
    with pytest.raises(HubError, match=r"newer pegboard \(schema 99"):
        open_ledger(database)


def add_column(connection):
    connection.exec_driver_sql("ALTER TABLE night_event ADD COLUMN place TEXT DEFAULT 'hall'")


def fail(connection):
    add_column(connection)
    raise ZeroDivisionError


def test_a_ledger_whose_packages_had_no_season_takes_them_anew(database):
    with open_ledger(database) as ledger, writing(ledger.engine) as connection:
        connection.exec_driver_sql("DROP TABLE uploaded_package")
        connection.exec_driver_sql("CREATE TABLE uploaded_package (digest TEXT PRIMARY KEY, event TEXT, content TEXT)")
        connection.exec_driver_sql("UPDATE about SET version = 1")
    with open_ledger(database) as ledger:
        packages = UploadedPackages(ledger)
        assert packages.add("12ab", b"content", "{}")
        assert packages.seasons() == [("12ab", "{}")]


def test_a_migration_keeps_what_is_there_and_copies_a_file_before(database, tmp_path):
    with open_ledger(database) as ledger:
        ledger.open_event(EVENT)
        with pytest.raises(ZeroDivisionError):
            migrate(ledger.engine, (*STEPS, fail))
        assert migrate(ledger.engine, (*STEPS, add_column)) == ledger.hub_id
        with reading(ledger.engine) as connection:
            assert connection.execute(text("SELECT name, place FROM night_event")).all() == [(EVENT, "hall")]
    if database.startswith("sqlite"):
        with open_ledger(f"sqlite:///{tmp_path}/hub-v{len(STEPS)}.db") as copy:
            assert [one.name for one in copy.open_events()] == [EVENT]


CURES = {False: "pip install 'sqlalchemy>=2'", True: "--target /usr/local/lib/pegboard 'sqlalchemy>=2'"}
"""By whether the program came in its Debian package."""


@pytest.mark.parametrize("installed", [False, True])
def test_sqlalchemy_of_debian_12_is_said_to_be_too_old(monkeypatch, installed):
    monkeypatch.setattr(hub_errors, "is_installed", lambda: installed)
    monkeypatch.setattr(hub_errors, "installed_version", lambda _: "1.4.46")
    with pytest.raises(HubError, match=r"SQLAlchemy 1\.4\.46 is too old; the hub needs 2\.0") as refused:
        hub_errors.require_sqlalchemy()
    assert CURES[installed] in str(refused.value)


@pytest.mark.parametrize("installed", [False, True])
def test_without_sqlalchemy_the_cure_is_said(monkeypatch, installed):
    monkeypatch.setattr(hub_errors, "is_installed", lambda: installed)
    monkeypatch.setattr(hub_errors, "installed_version", lambda _: None)
    with pytest.raises(HubError, match="the hub needs SQLAlchemy 2") as refused:
        hub_errors.require_sqlalchemy()
    assert CURES[installed] in str(refused.value)


@pytest.mark.parametrize("files", [["METADATA"], []])
def test_sqlalchemy_whose_files_a_power_cut_has_left_empty_is_none(monkeypatch, tmp_path, files):
    (tmp_path / "sqlalchemy-2.0.0.dist-info").mkdir()
    for name in files:
        (tmp_path / "sqlalchemy-2.0.0.dist-info" / name).touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HubError, match="the hub needs SQLAlchemy 2"):
        hub_errors.require_sqlalchemy()


def test_without_psycopg_the_cure_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(HubError, match=r"PostgreSQL needs psycopg 3; install it: .*psycopg"):
        open_ledger("postgresql://127.0.0.1/night")


def test_a_table_loads_no_sqlalchemy_and_no_paho():
    code = (
        "import sys, pegboard.cli.main, pegboard.startup.hub_connection, pegboard.cli.hub_commands; print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"sqlalchemy", "paho", "psycopg"}.isdisjoint(loaded)


@on_small_disk
def test_on_a_full_disk_nothing_is_stored_and_all_of_it_later(place):
    shutil.rmtree(place / "table")
    own = WrittenJournal()
    for n in range(32):
        own.add(kind="note", text=f"{n}" * 2_000)
    with open_ledger(f"sqlite:///{place}/hub.db") as ledger:
        ledger.open_event(EVENT)
        full = place / "full"
        with full.open("wb", buffering=0) as file:
            for size in (4096, 1):
                fill(file, size)
        with pytest.raises(LedgerNotStored, match=r"the disk of .*hub\.db is full"):
            ledger.events_of_tables.store([own.arrival()])
        assert ledger.rows_of(EVENT) == []
        full.unlink()
        assert ledger.events_of_tables.store([own.arrival()]).outcomes == (MessageOutcome.STORED,)
        assert len(ledger.rows_of(EVENT)) == 32


def fill(file, size):
    try:
        while True:
            file.write(bytes(size))
    except OSError:
        return
