"""The real program while one of its calls fails: no answer says stored of what is not, nor refused of what is."""

from dataclasses import dataclass

from tests.proofs import disk
from tests.proofs.evening import GONE
from tests.proofs.failing_calls import FILE_FAULTS
from tests.support.program import Service

SCORES, POINTS, LATEST_CALL = 16, 5, 160


@dataclass
class Case:
    """A fault, the pegs that the answers tell of, and what is wrong."""

    fault: str
    call: int
    fronts: list
    refused: int = 0
    wrong: str = ""
    said: bool = False


def try_fault(folder, fault, call):
    """Score over HTTP while that call fails, kill, start without fault, and compare."""
    case, (classes, error, how) = Case(fault, call, [0, 0]), FILE_FAULTS[fault]
    try:
        service = Service(folder, environment=disk.environment(folder, fault=(classes, call, error, how)))
    except AssertionError as ended:
        case.wrong = str(ended) if "Traceback" in str(ended) else ""
    else:
        with service:
            score(service, case)
            service.kill()
    if not case.wrong:
        compare(folder, case)
    return case


def score(service, case):
    client = service.client()
    try:
        for n in range(SCORES):
            status, answer = client.score(n % 2, POINTS)
            if status == 201:
                case.fronts[n % 2] += POINTS
            else:
                case.refused += 1
                case.wrong = case.wrong or ("" if answer and "code" in answer else f"{status}: {answer}")
            shown = [lane["front"] for lane in client.state()["lanes"]]
            if shown != case.fronts and not case.wrong:
                case.wrong = f"{case.fronts} was answered, and {shown} is shown"
    except (*GONE, KeyError, TypeError) as wrong:
        case.wrong = f"no answer: {wrong!r}"


def compare(folder, case):
    try:
        service = Service(folder)
    except AssertionError as ended:
        case.wrong = f"no start: {ended}"
        return
    with service:
        state = service.client().state()
        case.said = bool(state.get("alarms"))
        fronts = [lane["front"] for lane in state["lanes"]]
        if fronts != case.fronts and not case.said:
            case.wrong = f"{case.fronts} was answered, {fronts} is there"
        service.kill()


def prove_program(proof, cases, dice):
    """So many faults at calls that are drawn; what was wrong."""
    found = []
    for n in range(1, cases + 1):
        folder = proof.folder / f"program-{n}"
        found.append(try_fault(folder, dice.choice(list(FILE_FAULTS)), dice.randint(1, LATEST_CALL)))
        if found[-1].wrong:
            proof.fail(f"real program, {found[-1].fault}, call {found[-1].call}: {found[-1].wrong}", folder)
        if n % max(1, cases // 4) == 0:
            counts = (sum(map(bool, (getattr(case, name) for case in found))) for name in ("refused", "wrong", "said"))
            proof.row("real program, so far", n, *counts)
    return [case for case in found if case.wrong]
