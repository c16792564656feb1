"""Command-line interface (click): shared code, and the commands `count`, `export`, `import`, `manual`, `completion`.

The other commands (`run`, `code`, `unpair`, `selftest`, `config`) are in `pegboard.cli.main`, which may import
everything.
"""
