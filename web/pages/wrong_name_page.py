"""The page for a browser that uses a name which is not the server's: the address that works, and the setting.

It has neither style sheet nor script: under that name none would be served.
"""

import html
import json

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from web.http.bounded_headers import bounded_headers
from web.pages.i18n import negotiate, translate

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · pegboard</title>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{way}</p>
<p>{setting}</p>
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
    return PAGE.format(language=language, title=title, way=way, setting=setting, name=quoted).encode()
