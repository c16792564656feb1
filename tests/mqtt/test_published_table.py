"""The table on a real broker: what a reader gets, before and after faults of broker, network and table."""

import json
import re
import signal
import socket
import ssl
import subprocess
import threading
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from pegboard.config import MqttSettings
from pegboard.core.view_as_json import snapshot
from pegboard.errors import DeviceError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.mqtt import home_assistant
from pegboard.mqtt.broker_session import Publication, read_password
from pegboard.mqtt.home_assistant import MqttPublisher
from tests.support.mosquitto import MOSQUITTO, Broker
from tests.support.program import Service
from tests.support.views import dealt
from tests.support.views_of_dealt_games import views_of
from tests.support.waiting import soon

ROOT = "pegboard/kitchen"
TWIN = "another table also publishes as pegboard-kitchen; change mqtt.table on one of them"
NOWHERE = 9
SERVICE = Path(__file__).parents[2] / "systemd" / "pegboard.service"


def settings(port, **more):
    return MqttSettings(broker="127.0.0.1", port=port, table="Kitchen", **more)


@pytest.fixture
def publish():
    """Starts a publisher, which ends with the test; returns it and its feed."""
    stops = []

    def start(port, view=None, **more):
        feed = Feed()
        if view is not None:
            feed.publish(view)
        publisher = MqttPublisher(settings(port, **more), "host", lambda: "http://192.168.1.7/", lambda: None)
        stops.append(publisher.start(feed))
        return publisher, feed, stops[-1]

    yield start
    for stop in stops:
        stop()


def state(broker, topic=f"{ROOT}/state"):
    text = broker.retained(topic)
    return None if text is None else json.loads(text)


def score(broker):
    """That of the first lane, None before there is a state."""
    now = state(broker)
    return now and now["lanes"][0]["score"]


def test_a_reader_that_comes_later_gets_the_newest_state(broker, publish):
    publisher, feed, _ = publish(broker.port, dealt((0, 2)))
    soon(lambda: publisher.health.ok)
    feed.publish(dealt((0, 2), (1, 6)))
    scores = soon(lambda: (now := state(broker)) and [lane["score"] for lane in now["lanes"]] == [2, 6] and now)
    assert [lane["name"] for lane in scores["lanes"]] == ["Ann", "Bob"]
    assert broker.retained(f"{ROOT}/availability") == "online"


def scores_in(state):
    return [lane["score"] for lane in state["lanes"]]


def test_a_dealt_game_is_published_as_the_pages_show_it(broker, publish):
    """Whoever reads all the while sees each state of the board; in a rush some are left out, none out of turn."""
    views = views_of(7)
    shown = [[lane["front"] for lane in snapshot(view)["lanes"]] for view in views]
    publisher, feed, _ = publish(broker.port, views[0])
    soon(lambda: publisher.health.ok and broker.retained(f"{ROOT}/state"))
    read = []
    words = ["mosquitto_sub", "-p", str(broker.port), "-q", "1", "-t", f"{ROOT}/state", "-W", "60"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as reader:
        thread = threading.Thread(target=lambda: read.extend(json.loads(line) for line in reader.stdout), daemon=True)
        thread.start()
        soon(lambda: read)
        for n, view in enumerate(views):
            feed.publish(view)
            if n < len(views) / 2:
                soon(lambda n=n: scores_in(read[-1]) == shown[n])
        soon(lambda: read[-1]["over"])
        reader.terminate()
        thread.join()
    places = [shown.index(scores_in(now)) for now in read]
    assert places == sorted(places)
    last, end = snapshot(views[-1]), read[-1]
    assert end["winner"] == last["seats"][last["game"]["winner"]]["name"]
    assert end["says"] == last["game"]["says"]


def test_what_home_assistant_is_told_is_retained(broker, publish):
    publisher, feed, _ = publish(broker.port, dealt((0, 2)))
    soon(lambda: publisher.health.ok)
    document = json.loads(soon(lambda: broker.retained("homeassistant/device/pegboard-kitchen/config")))
    assert document["device"]["name"] == "Kitchen"
    assert document["components"]["score_a"]["name"] == "Ann"
    feed.publish(dealt((0, 2), variant="three-handed"))
    soon(lambda: "Cy" in broker.retained("homeassistant/device/pegboard-kitchen/config"))


def test_without_a_prefix_home_assistant_is_told_nothing(broker, publish):
    publisher, _, _ = publish(broker.port, discovery="")
    soon(lambda: publisher.health.ok and broker.retained(f"{ROOT}/state"))
    assert broker.retained("homeassistant/#") is None


@pytest.mark.parametrize("other", ["Kitchen", "pegboard-kitchen"])
def test_two_tables_that_are_on_under_one_id_are_a_fault_until_one_ends(broker, monkeypatch, other):
    """A second after the other one ends, as three questions without an answer are waited for."""
    monkeypatch.setattr(home_assistant, "TWIN_S", 0.1)
    names = ("Kitchen", other)
    both = [MqttPublisher(replace(settings(broker.port), table=name), "", str, lambda: None) for name in names]
    stop, stop_other = (one.start(Feed()) for one in both)
    soon(lambda: all(one.health.trouble == TWIN and not one.health.ok for one in both))
    stop_other()
    soon(lambda: both[0].health.ok)
    stop()


def test_two_tables_hear_of_each_other_however_often_there_is_news(monkeypatch):
    """A score every 10 s for ten minutes; the other table answers whenever this one says that it is there."""
    one, now, said = MqttPublisher(settings(NOWHERE), "Kitchen", str, lambda: None), [1000.0], []

    def answer(publication):
        said.append(publication.topic)
        one._twin_heard = now[0]

    monkeypatch.setattr(home_assistant.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(one._session, "publish", answer)
    one._health = one._health.mark_ok("")
    one._twin_heard = now[0]
    for _ in range(60):
        one._check_for_duplicate()
        assert not one.health.ok
        now[0] += 10
    assert said == [one.topics.presence] * 30


def test_a_table_that_connects_again_is_no_other_table(broker, publish):
    one, feed, _ = publish(broker.port, dealt((0, 2)))
    soon(lambda: one.health.ok and broker.retained(f"{ROOT}/state"))
    one._session.publish(Publication(one.topics.presence, one._instance_token))
    feed.publish(dealt((0, 2), (1, 6)))
    soon(lambda: "6" in broker.retained(f"{ROOT}/state"))
    assert one.health.ok


def test_at_the_end_the_table_says_that_it_is_gone(broker, publish):
    publisher, _, stop = publish(broker.port)
    soon(lambda: broker.retained(f"{ROOT}/availability") == "online")
    stop()
    assert broker.retained(f"{ROOT}/availability") == "offline"
    assert publisher.health.ok


def test_the_end_may_come_just_after_that_of_the_broker(broker, publish):
    """The last word is not taken then, and no thread ends in an error."""
    for _ in range(5):
        publisher, _, stop = publish(broker.port)
        soon(lambda one=publisher: one.health.ok)
        broker.stop()
        stop()
        broker.start()


def test_a_stop_waits_for_two_hanging_brokers_at_most_half_the_time_that_systemd_allows():
    publisher = MqttPublisher(settings(NOWHERE), "host", lambda: None, lambda: None)
    publisher._session._thread = hanging = Mock()
    publisher._session.stop()
    (seconds,) = hanging.join.call_args.args
    allowed = re.search(r"^TimeoutStopSec=(\d+)$", SERVICE.read_text("utf-8"), re.MULTILINE)
    assert 2 * seconds <= int(allowed[1]) / 2, "a hub's broker can hang as well"


def test_an_end_between_two_looks_is_not_slept_through(monkeypatch):
    """The end comes just as what was new before is put away."""
    publisher = MqttPublisher(MqttSettings(broker="127.0.0.1"), "table", lambda: None, lambda: None)
    session = publisher._session
    news = session._news
    news.set()

    def clear():
        session._is_stopping = True
        news.set()
        threading.Event.clear(news)

    monkeypatch.setattr(news, "clear", clear)
    waiting = threading.Thread(target=session._wait, args=(600,), daemon=True)
    waiting.start()
    waiting.join(60)
    assert not waiting.is_alive()


def test_a_broker_that_has_forgotten_all_is_told_again(broker, publish):
    publisher, feed, _ = publish(broker.port, dealt((0, 2)))
    soon(lambda: broker.retained(f"{ROOT}/availability") == "online")
    broker.stop()
    soon(lambda: not publisher.health.ok)
    assert "lost the connection" in publisher.health.trouble or "cannot be reached" in publisher.health.trouble
    feed.publish(dealt((0, 2), (1, 6)))
    broker.start()
    assert soon(lambda: state(broker), 20)["lanes"][1]["score"] == 6
    soon(lambda: publisher.health.ok)


@pytest.mark.debian
def test_a_broker_may_come_later(tmp_path, publish):
    later = Broker(tmp_path)
    publisher, _, _ = publish(later.port)
    soon(lambda: publisher.health.errors)
    assert f"127.0.0.1:{later.port} cannot be reached" in publisher.health.trouble
    later.start()
    soon(lambda: publisher.health.ok, 20)
    later.stop()


@pytest.mark.debian
def test_a_wrong_password_is_said_and_the_right_one_counts(tmp_path, publish):
    passwords, own = tmp_path / "passwords", tmp_path / "own"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "table", "fifteen two"], check=True)
    guarded = Broker(tmp_path, "allow_anonymous false", f"password_file {passwords}").start()
    own.write_text("fifteen four\n")
    wrong, _, _ = publish(guarded.port, user="table", password_file=str(own))
    soon(lambda: wrong.health.errors)
    assert "refuses the table" in wrong.health.trouble
    assert "Not authorized" in wrong.health.trouble
    own.write_text("fifteen two\n")
    right, _, _ = publish(guarded.port, user="table", password_file=str(own))
    soon(lambda: right.health.ok)
    guarded.stop()


def test_each_retry_is_counted_but_its_trouble_logged_once(caplog):
    publisher = MqttPublisher(settings(NOWHERE), "host", lambda: None, lambda: None)
    for _ in range(3):
        publisher.note_loss(Message("trouble_mqtt_lost", broker="kitchen"))
    assert publisher.health.errors == 3
    assert len(caplog.messages) == 1


def test_what_is_no_broker_is_said(publish):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        publisher, _, stop = publish(mute.getsockname()[1])
        soon(lambda: publisher.health.errors)
        assert "does not answer like an MQTT broker" in publisher.health.trouble
        stop()


@pytest.mark.parametrize("more", [{"user": "table", "password_file": "/no/such"}, {"tls": True, "ca_file": "/no/such"}])
def test_a_file_that_cannot_be_read_is_named(more):
    with pytest.raises(DeviceError, match="/no/such cannot be read: No such file or directory"):
        MqttPublisher(settings(NOWHERE, **more), "host", lambda: None, lambda: None)


@pytest.mark.parametrize(
    "broker", ["mqtt://host:1883", "mqtts://host", "host:1883", "[2001:db8::1]", "[::1]:1883", "u@host", "ho st"]
)
def test_a_broker_with_a_scheme_a_port_or_brackets_is_refused_with_the_settings_for_them(broker):
    with pytest.raises(DeviceError, match=r"not '.*'; set mqtt\.port and mqtt\.tls for the rest"):
        MqttPublisher(MqttSettings(broker=broker), "host", lambda: None, lambda: None)


@pytest.mark.parametrize("scheme", ["mqtt://", ""])
@pytest.mark.parametrize("password", ["secret", "sec/ret", "s@cret"])
def test_a_refused_broker_keeps_its_password_to_itself(scheme, password):
    with pytest.raises(DeviceError, match=rf"not '{scheme}\.\.\.@host'"):
        MqttPublisher(MqttSettings(broker=f"{scheme}me:{password}@host"), "host", lambda: None, lambda: None)


@pytest.mark.parametrize("broker", ["homeassistant.local", "192.168.1.20", "2001:db8::1", "::1", "fe80::1%eth0"])
def test_names_and_addresses_of_brokers_are_taken(broker):
    publisher = MqttPublisher(MqttSettings(broker=broker), "host", lambda: None, lambda: None)
    assert publisher.health.about == f"{broker}:1883"


def test_a_password_file_may_begin_with_a_byte_order_mark(tmp_path):
    file = tmp_path / "password"
    file.write_bytes(b"\xef\xbb\xbffifteen two\r\n")
    assert read_password(str(file), "hub.password_file") == "fifteen two"


@pytest.mark.debian
def test_encrypted_the_certificate_is_checked(tmp_path, publish):
    own, other = (certificate(tmp_path, name) for name in ("own", "other"))
    options = ["allow_anonymous true", f"certfile {own}.pem", f"keyfile {own}.key"]
    guarded = Broker(tmp_path, *options).start()
    trusted, _, _ = publish(guarded.port, tls=True, ca_file=f"{own}.pem")
    soon(lambda: trusted.health.ok)
    foreign, _, _ = publish(guarded.port, tls=True, ca_file=f"{other}.pem")
    soon(lambda: foreign.health.errors)
    assert "certificate verify failed" in foreign.health.trouble
    guarded.stop()


def test_a_homemade_certificate_is_taken_whatever_python_refuses_by_default():
    """Since Python 3.13 its default refuses those without a key identifier, which older guides make."""
    publisher = MqttPublisher(settings(NOWHERE, tls=True), "host", lambda: None, lambda: None)
    context = publisher._session._tls
    assert not context.verify_flags & ssl.VERIFY_X509_STRICT
    assert (context.check_hostname, context.verify_mode) == (True, ssl.CERT_REQUIRED)


def certificate(folder, name):
    """A certificate of 127.0.0.1 and its key, as files in PEM."""
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / f"{name}.key", "-out"]
    subprocess.run([*words, folder / f"{name}.pem"], check=True, capture_output=True)
    return folder / name


def configured(folder, port):
    file = folder / "pegboard.toml"
    file.write_text(f'[mqtt]\nbroker = "127.0.0.1"\nport = {port}\ntable = "Kitchen"\n')
    return str(file)


def devices_of(table):
    return table.client().ask("GET", "/api/v1/health")[1]["devices"]


def test_the_program_publishes_and_its_death_is_told(broker, tmp_path):
    """The whole way: a score over HTTP is read at the broker; a pulled plug is said by the broker's will."""
    with Service(tmp_path / "state", "--config", configured(tmp_path, broker.port)) as table:
        table.client().score(0, 12)
        soon(lambda: score(broker) == 12)
        health = {each["name"]: each for each in devices_of(table)}
        assert health["MQTT"]["ok"]
        table.kill()
    soon(lambda: broker.retained(f"{ROOT}/availability") == "offline")


def test_the_program_says_at_its_end_that_it_is_gone(broker, tmp_path):
    with Service(tmp_path / "state", "--config", configured(tmp_path, broker.port)) as table:
        soon(lambda: broker.retained(f"{ROOT}/availability") == "online")
        table.stop()
    assert broker.retained(f"{ROOT}/availability") == "offline"


def test_a_version_that_is_only_tried_tells_nobody(broker, tmp_path, monkeypatch):
    monkeypatch.setenv("PEGBOARD_TRIAL", "1")
    with Service(tmp_path / "state", "--config", configured(tmp_path, broker.port)) as table:
        assert all(each["name"] != "MQTT" for each in devices_of(table))
    assert "New client connected" not in broker.log.read_text()


def test_a_stopped_broker_holds_up_no_score(broker, tmp_path):
    """It is stopped as it is, with its connection open: the pages and keys go on."""
    with Service(tmp_path / "state", "--config", configured(tmp_path, broker.port)) as table:
        soon(lambda: broker.retained(f"{ROOT}/availability") == "online")
        broker.process.send_signal(signal.SIGSTOP)
        for _ in range(20):
            table.client().score(0, 1)
        broker.process.send_signal(signal.SIGCONT)
        soon(lambda: score(broker) == 20)


def test_all_that_a_table_reads_is_whether_another_has_its_name(broker, publish):
    """Whatever is published there, it changes no more than the health of the table."""
    publisher, feed, _ = publish(broker.port)
    soon(lambda: publisher.health.ok)
    feed.publish(dealt((0, 2)))
    soon(lambda: score(broker) == 2)
    log = broker.log.read_text()
    assert "PUBLISH from" in log
    table = next(line.split("PUBLISH from ")[1].split()[0] for line in log.splitlines() if "PUBLISH from" in line)
    read = [line.split(f"{table} 0 ")[1] for line in log.splitlines() if f"{table} 0 " in line]
    assert read == ["pegboard/pegboard-kitchen/present"]
    for word in (b"", b"\xff\x00", b"6" * 100_000):
        publisher._session.publish(Publication(publisher.topics.presence, word))
    soon(lambda: publisher.health.trouble == TWIN)
    feed.publish(dealt((0, 2), (1, 6)))
    soon(lambda: state(broker)["lanes"][1]["score"] == 6)


def test_without_paho_the_cure_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "paho.mqtt.client", None)
    with pytest.raises(DeviceError, match="install it"):
        MqttPublisher(settings(NOWHERE), "host", lambda: None, lambda: None)


@pytest.mark.debian
def test_mosquitto_is_there():
    assert subprocess.run([MOSQUITTO, "-h"], capture_output=True, check=False).stdout
