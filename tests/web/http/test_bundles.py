"""Modules as few files: in the order in which a browser runs them, each once, and nothing lost."""

import posixpath
import re

import pytest

from web.http.bundles import SHARED, bundled
from web.http.static_files import FOLDER, assets

PAGES = {f"page{n}.js": f'import {{ count }} from "./counter.js";\nawait count({n});\n' for n in range(4)}
COUNTER = (
    'import "./first.js";\nimport * as words from "./words.js";\nexport async function count(n) {\nwords.say(n);\n}\n'
)
WORDS = 'import { hear as listen } from "./ear.js";\nexport const say = (n) => listen(n);\nexport class Word {}\n'
EAR = "export function hear(n) {\nreturn n;\n}\n"
FOUR = {**PAGES, "counter.js": COUNTER, "words.js": WORDS, "ear.js": EAR, "first.js": "globalThis.begun = true;\n"}


def test_what_four_pages_need_is_one_file_in_the_order_in_which_it_runs():
    shared = bundled(FOUR)[SHARED]
    places = [shared.index(f"const ${name} = ") for name in ("first", "ear", "words", "counter")]
    assert places == sorted(places)
    assert shared.count("globalThis.begun") == 1
    assert "const { hear: listen } = $ear;" in shared
    assert "const words = $words;" in shared
    assert "return { say, Word };" in shared
    assert shared.endswith("export { $first, $ear, $words, $counter };\n")


def test_a_page_takes_what_is_shared_and_has_the_rest_of_its_own():
    page = bundled(
        {
            **FOUR,
            "own.js": "export const mine = 1;\n",
            "page0.js": 'import { mine } from "./own.js";\n' + PAGES["page0.js"],
        }
    )
    assert page["page0.js"].startswith('import { $first, $ear, $words, $counter } from "./modules.js";\n')
    assert "const $own = (() => {\nconst mine = 1;\nreturn { mine };\n})();" in page["page0.js"]
    assert "const $page0 = await (async () => {" in page["page0.js"], "it waits at its top"
    assert "$own" not in page[SHARED]


def test_a_shared_module_stays_one_for_whoever_imports_it_by_its_own_name():
    again = bundled(FOUR)["words.js"]
    assert again == 'import { $words } from "./modules.js";\nexport const { say, Word } = $words;\n'


@pytest.mark.parametrize(
    "odd",
    [
        "export default 1;\n",
        'export { say } from "./words.js";\n',
        "export let changing = 1;\n",
        'import say from "./words.js";\n',
        'import { count } from "./page0.js";\n',
        'import { gone } from "./gone.js";\n',
    ],
)
def test_where_something_is_not_understood_all_modules_stay_as_they_are(odd: str):
    sources = {**FOUR, "ear.js": odd + EAR}
    assert bundled(sources) == {**sources, SHARED: ""}


def test_all_of_our_modules_are_understood_and_every_page_asks_for_two_files_at_most():
    ours = {path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in FOLDER.rglob("*.js")}
    imported = {
        posixpath.normpath(f"{name}/../{place}")
        for name, source in ours.items()
        for place in re.findall(r'(?:from|import) "(\.[^"]+)"', source)
    }
    for page in ours.keys() - imported:
        found = assets().find(f"/static/{page}")
        assert found is not None
        asked = re.findall(r'(?:from|import) "(\.[^"]+)"', found[0].content.decode())
        assert set(asked) <= {f"../{SHARED}"}, page
