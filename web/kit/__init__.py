"""The HTML pages: their routes, languages, and the rules page."""
