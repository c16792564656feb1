"""Modules of the pages' scripts run by Node, without a page: what they work out and say, many cases in one process."""

import json
import subprocess
from pathlib import Path

import playwright

from web.kit.i18n import catalog
from web.table.schemas import COMMANDS_ON_PAGES

NODE = Path(playwright.__file__).parent / "driver" / "node"
RUNNER = Path(__file__).with_suffix(".js")
PAGES = Path(__file__).parents[2] / "web"


def texts_of(language):
    """All texts of a language, as its pages have them together: of refusals those that are translated."""
    english, own = catalog("en"), catalog(language)
    return {key: text for key, text in own.items() if not key.startswith("refusals.") or text != english[key]}


class Scripts:
    """One process for everything that is evaluated in a language, with its texts or with others."""

    def __init__(self, folder, language="en", texts=None):
        words = folder / f"{language}.js"
        words.write_text(f"export default {json.dumps(texts_of(language) if texts is None else texts)};", "utf-8")
        command = [NODE, RUNNER, PAGES, language, words, json.dumps({"commands": json.dumps(COMMANDS_ON_PAGES)})]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def evaluate(self, function, argument=None):
        """What a JavaScript function makes of an argument, as a page would evaluate it; no console may complain."""
        self.process.stdin.write(f"{json.dumps([function, argument])}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        assert answer["complaints"] == []
        return answer["value"]

    def end(self):
        """Whatever a module still waits for."""
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
