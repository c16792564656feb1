"""Error page for a wrong host name: shows the address that works, and the setting that adds names.

It uses no style sheet or script, because nothing is served under that name. Its inline style is allowed by its hash in
`web.http.security_middleware`.
"""

import html
import json

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from web.http.request_head import bounded_headers
from web.kit.i18n import negotiate, translate

STYLE = """
:root { --table: #EFE9E0; --key: #FFFDF9; --line: #8A7765; --ink: #241812; --ink2: #5C4A3E }
@media (prefers-color-scheme: dark) {
  :root { --table: #15100C; --key: #2A201A; --line: #857160; --ink: #F4ECE1; --ink2: #C8B7A4 }
}
html { font: 18px/1.4 system-ui, sans-serif; font-size: max(18px, 1.6vw); background: var(--table); color: var(--ink) }
body { margin: 0 }
main { max-width: 34em; margin: 12vh auto; padding: 0 1em; overflow-wrap: anywhere }
h1 { font-size: 1.5em; line-height: 1.2; margin: 0 0 1em }
a {
  display: table; margin-top: .5em; padding: .85em 1em; font-weight: 600; color: inherit;
  background: var(--key); border: 1px solid var(--line); border-radius: 12px;
}
.setting { margin: 3em 0 0; color: var(--ink2) }
pre { font-size: .9em; white-space: pre-wrap }
"""

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · pegboard</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{way}</p>
<p class="setting">{setting}</p>
<pre>[web]
names = [{name}]</pre>
</main>
</body>
</html>
"""


def wrong_name_page(accept_language: str, name: str, url: str | None) -> bytes:
    """The page in the language of an Accept-Language header; `url` is the address that works, None if unknown."""
    bounded = bounded_headers([(b"accept-language", accept_language.encode("latin-1"))])
    accepted = parse_accept_header(b",".join(value for _, value in bounded).decode("latin-1"), LanguageAccept)
    language = negotiate(tag for tag, _ in accepted)
    title = html.escape(translate(language, "reach.title", name=name))
    if url is None:
        way = html.escape(translate(language, "reach.unknown"))
    else:
        link = f'<a href="{html.escape(url)}">{html.escape(url)}</a>'
        way = html.escape(translate(language, "reach.open")).replace("{url}", link)
    setting = html.escape(translate(language, "reach.setting"))
    quoted = html.escape(json.dumps(name, ensure_ascii=False))
    return PAGE.format(language=language, style=STYLE, title=title, way=way, setting=setting, name=quoted).encode()
