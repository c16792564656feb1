"""Draws what docs/build.md shows and prints: `python -m tests.pictures.guide`."""

from tests.pictures.guide.make import main

main()
