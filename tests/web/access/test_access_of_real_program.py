"""Who can score, seen from outside: the real program, `pegboard code` beside it, and https."""

import http.client
import json
import re
import ssl
import subprocess
import time
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main
from pegboard.errors import SettingError
from tests.support import forked
from tests.support.program import PYTHON, Service
from web.access.pairing_codes import Codes
from web.http.listener import tls_context


@dataclass
class Ended:
    returncode: int
    stdout: str
    stderr: str


def pegboard(*arguments):
    """The command line, in this process."""
    ended = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return Ended(ended.exit_code, ended.stdout, ended.stderr)


def another_program(*arguments):
    """The command line, as a stranger would ask it."""
    return forked.run(list(map(str, arguments)))


def pair(program, code):
    client = program.client()
    status, answer = client.ask("POST", "/api/v1/pair", {"code": code})
    return status, answer


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    with Service(tmp_path_factory.mktemp("closed") / "state", closed=True) as program:
        yield program


@pytest.fixture(scope="module")
def said(program):
    """What it says when it begins, with the code."""
    lines = "".join(program.said)
    while not re.search(r"Ctrl-C .*\n", lines):
        lines += program.process.stdout.readline()
    return lines


def test_a_table_that_is_not_open_says_the_code_when_it_begins(program, said):
    assert re.search(rf"open {program.url}/j/ and type ([0-9A-Z]{{6}}) ", said)[1] == program.code()


def test_a_table_for_this_machine_alone_says_what_lets_phones_in_and_shows_no_code_to_scan(program, said):
    command = f"{PYTHON} -m pegboard run --mock --closed --port 0 --state {program.state} --host 0.0.0.0"
    let_in = "Only this machine can reach this address. To let phones in, stop the program and restart it with"
    assert f"{let_in}\n  {command}\n" in said
    assert f"Open {program.url}/ in a browser\n" in said
    assert "Press Ctrl-C to stop; scores are kept\n" in said
    assert "█" not in said
    assert "scan" not in said.lower()


def test_pegboard_code_tells_the_code_the_address_until_when_and_what_lets_phones_in(program, said):
    told = pegboard("code", "--state", program.state)
    assert (told.returncode, told.stderr) == (0, "")
    code = Codes.of_table(program.state).scorer()
    until = time.strftime("%H:%M", time.localtime(code.until))
    assert f"{code.text} pairs one browser as a scorer, until {until}.\n" in told.stdout
    assert (
        f"Open {program.url}/j/{code.text}\nOnly this machine can reach this address. To let phones in" in told.stdout
    )
    assert "█" not in told.stdout


def test_pegboard_code_of_a_table_on_the_network_shows_a_picture_to_scan(tmp_path):
    codes = Codes(tmp_path)
    codes.register("http://192.168.1.7:8080/", "192.168.1.7:8080", is_open=False)
    told = pegboard("code", "--state", tmp_path).stdout
    code = codes.scorer()
    assert f"{code.text} pairs one phone as a scorer, until " in told
    assert f"Scan this, or open http://192.168.1.7:8080/j/{code.text}\n" in told
    assert told.count("█") > 200


def test_pegboard_code_of_a_table_without_a_network_says_so(tmp_path):
    Codes(tmp_path).register("http://127.0.0.1:8080/", "127.0.0.1:8080", "offline", is_open=False)
    told = pegboard("code", "--state", tmp_path).stdout
    assert "This machine has no network, so phones cannot reach it yet.\n" in told
    assert "█" not in told


def test_pegboard_code_director_makes_one_director(program, said):
    told = another_program("code", "director", "--state", program.state).stdout
    code = re.match(r"([0-9A-Z]{6}) pairs one browser as a director", told)[1]
    assert code != program.code()
    status, answer = pair(program, code)
    assert (status, answer["role"]) == (200, "director")
    assert pair(program, code)[0] == 403


def test_pegboard_unpair_unpairs_every_phone_at_once(program, said):
    phone = program.client(role="scorer")
    assert phone.ask("GET", "/api/v1/me")[1]["role"] == "scorer"
    assert phone.score(0, 1)[0] == 201
    ended = pegboard("unpair", "--state", program.state)
    assert ended.stdout == "All phones are unpaired; each needs a new code to score again.\n"
    assert phone.ask("GET", "/api/v1/me")[1]["role"] == "viewer"
    status, problem = phone.score(0, 1)
    assert (status, problem["code"]) == (403, "not_paired")


def test_secret_and_codes_are_in_files_of_their_own_for_nobody_else(program, said):
    program.client(role="scorer")
    for name in ("secret", "pairing.json", "pairing.json.lock"):
        assert (program.state / name).stat().st_mode & 0o777 == 0o600, name
    assert (program.state / "secret").stat().st_size == 32


def test_a_paired_phone_is_paired_after_a_restart(tmp_path):
    with Service(tmp_path, closed=True) as program:
        cookie, code = program.cookie(), program.code()
        program.kill()
    with Service(tmp_path, closed=True) as program:
        client = program.client()
        client._own = {"Cookie": "=".join(cookie)}
        assert client.score(0, 2)[0] == 201
        assert pair(program, code)[0] == 200, "and the code that was shown counts"


def test_no_table_no_code(tmp_path):
    told = pegboard("code", "--state", tmp_path / "none")
    assert (told.returncode, told.stdout) == (2, "")
    assert re.fullmatch(
        r"pegboard: no table keeps codes in .*, because no table has started there yet; .*\n", told.stderr
    )


def test_an_open_table_needs_no_code(tmp_path):
    with Service(tmp_path):
        told = pegboard("code", "--state", tmp_path)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == "pegboard: this table is open: anyone who can reach it can score without a code\n"


def test_a_code_of_a_table_that_is_put_away_counts_when_it_is_laid_again(tmp_path):
    with Service(tmp_path, closed=True):
        pass
    told = pegboard("code", "--state", tmp_path).stdout
    assert "The table is not running; the code will work once it starts." in told


# --- https ---


@pytest.fixture(scope="module")
def pair_of_files(tmp_path_factory):
    """A certificate for this machine's loopback address, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    make_certificate(certificate, key)
    return certificate, key


def make_certificate(certificate, key):
    subject = ["-subj", "/CN=pegboard.local", "-addext", "subjectAltName=IP:127.0.0.1,DNS:pegboard.local"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command = ["openssl", "req", "-x509", *kind, *subject, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)


def settings(folder, **web):
    path = folder / "pegboard.toml"
    path.write_text("[web]\n" + "".join(f"{name} = {json.dumps(str(value))}\n" for name, value in web.items()))
    return path


def test_a_table_with_a_certificate_speaks_https_alone(tmp_path, pair_of_files):
    certificate, key = pair_of_files
    config = settings(tmp_path, certificate=certificate, key=key)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with Service(tmp_path / "state", "--config", str(config), closed=True) as program:
        assert program.scheme == "https"
        line = http.client.HTTPSConnection("127.0.0.1", program.port, timeout=60, context=trusting)

        line.request("GET", "/api/v1/pairing")
        told = json.loads(line.getresponse().read())
        assert told["url"] == f"https://127.0.0.1:{program.port}/j/{told['code']}"
        assert (told["reach"], told["qr"]) == ("machine", None)

        origin = {"Content-Type": "application/json", "Origin": program.url}
        line.request("POST", "/api/v1/pair", json.dumps({"code": told["code"]}), origin)
        answer = line.getresponse()
        assert (answer.status, json.loads(answer.read())["role"]) == (200, "scorer")
        assert "; Secure" in answer.headers["Set-Cookie"]
        assert answer.headers["Strict-Transport-Security"] is None

        line.request("GET", "/events")
        events = line.getresponse()
        assert events.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert any(events.readline().startswith(b"event: state") for _ in range(6))

        plain = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
        plain.request("GET", "/")
        with pytest.raises((OSError, http.client.HTTPException)):
            plain.getresponse()
        assert "https://127.0.0.1" in pegboard("code", "--state", program.state).stdout


@pytest.fixture
def broken(tmp_path, pair_of_files):
    certificate, key = pair_of_files
    make_certificate(tmp_path / "other.pem", tmp_path / "other_key.pem")
    encrypted = ["openssl", "ec", "-in", str(key), "-aes128", "-passout", "pass:ann", "-out", tmp_path / "locked.pem"]
    subprocess.run(encrypted, check=True, capture_output=True)
    (tmp_path / "words.pem").write_text("Ann and Bob")
    return {
        "certificate alone": ({"certificate": certificate}, "web.certificate is set but web.key is not"),
        "key alone": ({"key": key}, "web.key is set but web.certificate is not"),
        "no such file": (
            {"certificate": certificate, "key": tmp_path / "none.pem"},
            r"cannot read .*none\.pem \(web\.key\): No such file",
        ),
        "another key": ({"certificate": certificate, "key": tmp_path / "other_key.pem"}, "does not match"),
        "no certificate": (
            {"certificate": tmp_path / "words.pem", "key": key},
            "must be a certificate and its key, in PEM format",
        ),
        "with a password": ({"certificate": certificate, "key": tmp_path / "locked.pem"}, "without a password"),
    }


def test_a_certificate_that_cannot_be_used_is_said_in_one_sentence(tmp_path, broken):
    for web, sentence in broken.values():
        with pytest.raises(SettingError, match=sentence):
            tls_context(str(web.get("certificate", "")), str(web.get("key", "")))
    config, state = settings(tmp_path, **broken["another key"][0]), tmp_path / "state"
    ended = another_program("run", "--mock", "--port", 0, "--state", state, "--config", config)
    assert (ended.returncode, ended.stdout) == (2, "")
    place = r"\S+pegboard\.toml, line [23]"
    assert re.fullmatch(rf"pegboard: {place}: the key .* does not match the certificate .*\n", ended.stderr)
    assert not state.exists()


def test_a_proxy_that_is_no_address_is_said_in_one_sentence(tmp_path):
    (tmp_path / "pegboard.toml").write_text('[web]\nproxies = ["nginx"]\n')
    config = ("--config", tmp_path / "pegboard.toml")
    ended = another_program("run", "--mock", "--port", 0, "--state", tmp_path / "state", *config)
    assert ended.returncode == 2
    sentence = "web.proxies must be an address or network"
    assert ended.stderr.startswith(f"pegboard: {config[1]}, line 2: {sentence}")
    assert ended.stderr.count("\n") == 1


def test_an_address_in_the_file_that_cannot_be_listened_on_is_told_with_its_line(tmp_path):
    config = settings(tmp_path, host="198.51.100.8")
    words = ("run", "--mock", "--port", 0, "--state", tmp_path / "state", "--config", config)
    ended = another_program(*words)
    assert ended.stderr.startswith(f"pegboard: {config}, line 2: 198.51.100.8 is not an address of this machine")
    ended = another_program(*words, "--host", "198.51.100.7")
    assert ended.stderr.startswith("pegboard: 198.51.100.7 is not an address of this machine"), "it is not the file's"
