"""The service under a real systemd: ready, at port 80, sandboxed, watched; a plug that is pulled costs no score."""

import json
import re
import time

import pytest

from tests.boot.sandbox import denies_all_but_its_own


@pytest.fixture(scope="module")
def scorer(machine):
    """The cookie of a paired phone."""
    code = re.match(r"\w+", machine.says("pegboard code"))[0]
    status, _, cookie = machine.ask("POST", "/api/v1/pair", {"code": code}, timeout=60)
    assert status in {200, 201}
    return {"Cookie": cookie.partition(";")[0]}


def score(machine, scorer, points):
    """Score for Ann; her front peg afterwards."""
    state = machine.ask("GET", "/api/v1/state", timeout=60)[1]
    command = {"id": f"boot-{time.monotonic_ns():020}", "game": state["game"]["id"], "do": "score", "seat": 0}
    command |= {"points": points, "base": state["lanes"][0]["revision"]}
    status, answer, _ = machine.ask("POST", "/api/v1/commands", command, timeout=60, **scorer)
    assert status == 201, answer
    return answer["state"]["lanes"][0]["front"]


def front(machine):
    return machine.ask("GET", "/api/v1/state", timeout=60)[1]["lanes"][0]["front"]


def test_systemd_finds_it_ready_and_nothing_failed(machine, capsys):
    assert machine.says("systemctl is-active pegboard pegboard.socket").split() == ["active", "active"]
    assert machine.says("systemctl --failed --no-legend") == ""
    moments = "InactiveExitTimestampMonotonic,ActiveEnterTimestampMonotonic"
    shown = machine.says(f"systemctl show pegboard -p {moments} --value")
    begun, ready = sorted(int(line) for line in shown.split())
    with capsys.disabled():
        print(f"\nREADY {(ready - begun) / 1e6:.2f} s after its first start{machine.speed}")


def test_it_runs_as_its_own_account_and_nobody_else_reads_its_folders(machine):
    assert machine.says("ps -o user= -p $(systemctl show -p MainPID --value pegboard)").startswith("pegboard")
    assert machine.says("stat -c '%a %U' /var/lib/pegboard /run/pegboard").splitlines() == ["700 pegboard"] * 2
    assert machine.says("find /var/lib/pegboard -not -user pegboard") == ""


def test_no_code_is_in_the_log_of_the_system(machine):
    code = re.match(r"\w+", machine.says("pegboard code"))[0]
    assert machine.run(f"journalctl | grep {code}", check=False).stdout == ""
    assert "sudo pegboard code" in machine.says("journalctl -u pegboard -o cat")


def test_the_sandbox_denies_all_but_its_own(machine, capsys):
    denies_all_but_its_own(machine, capsys, "pegboard", folder="pegboard")


def test_it_starts_where_no_network_leads_on(machine):
    """Nor may its sandbox be in the way of looking at the interfaces then."""
    machine.run("ip route del default; ip route; systemctl restart pegboard", check=False)
    machine.wait_for("1.0.0", 240)
    assert machine.says("ip route show default") == ""
    assert machine.says("systemctl show pegboard -p NRestarts --value") == "0"
    noted = json.loads(machine.says("cat /var/lib/pegboard/pairing.json"))
    assert noted["table"]["url"].startswith("http://10.0."), "the address of its own network"


def test_a_score_survives_a_pulled_plug(machine, scorer):
    assert score(machine, scorer, 7) == 7
    machine.pull_plug()
    machine.start()
    machine.wait_for("1.0.0", 240)
    assert front(machine) == 7
    assert score(machine, scorer, 5) == 12


def test_a_table_that_hangs_is_started_again_by_the_watchdog(machine):
    machine.run("kill -STOP $(systemctl show -p MainPID --value pegboard)")
    before = machine.says("systemctl show -p NRestarts --value pegboard")
    until = time.monotonic() + 180
    while machine.says("systemctl show -p NRestarts --value pegboard") == before:
        assert time.monotonic() < until
        time.sleep(2)
    machine.wait_for("1.0.0", 240)
    assert front(machine) == 12


def test_settings_that_are_not_taken_are_no_loop(machine):
    """Neither systemd nor a phone that asks starts it again, and once they are mended one restart is enough."""
    before = front(machine)
    machine.run("cp /etc/pegboard/pegboard.toml saved; printf '[web]\\ncolour = 1\\n' >/etc/pegboard/pegboard.toml")
    machine.run("systemctl restart pegboard", check=False)
    for _ in range(5):
        machine.version()
        time.sleep(2)
    until = time.monotonic() + 90
    while (now := machine.says("systemctl is-active pegboard || true")) != "failed":
        assert time.monotonic() < until, now
        time.sleep(1)
    assert machine.says("systemctl show pegboard -p NRestarts --value") == "0"
    until = time.monotonic() + 90
    while machine.says("systemctl is-active pegboard.socket || true") != "inactive":
        assert time.monotonic() < until
        time.sleep(1)
    assert "line 2" in machine.says("journalctl -u pegboard -o cat -n 30")
    machine.run("cp saved /etc/pegboard/pegboard.toml")
    machine.run("systemctl restart pegboard")
    machine.wait_for("1.0.0", 240)
    assert front(machine) == before


def test_a_port_of_its_own_and_back_to_that_of_the_socket(machine):
    settings = "/etc/pegboard/pegboard.toml"
    machine.run(f"systemctl reset-failed; cp {settings} saved; printf '[web]\nport = 8080\n' >>{settings}")
    machine.run("systemctl restart pegboard")
    asking = "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/api/v1/health')"
    machine.run(f'until python3 -c "{asking}"; do sleep 1; done')
    assert machine.version() is None, "port 80 is not its own"
    machine.run(f"cp saved {settings} && systemctl restart pegboard")
    machine.wait_for("1.0.0", 240)


def test_settings_that_are_tried_again_and_again_are_no_end(machine):
    """After five starts within a quarter of an hour systemd refuses further ones: then it starts by itself."""
    tries = [machine.run("systemctl restart pegboard", check=False).returncode for _ in range(6)]
    assert tries[-1] != 0, "systemd takes as many starts as one likes"
    machine.wait_for("1.0.0", 240)
