"""A terminal as a person sees it: what stands on its rows after all that a program has written."""

import re

CONTROL = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b[()][A-B]|\x1b[=>78]")


class Screen:
    """So many columns and rows; the signs that a program for a VT100 writes here are understood, others refused."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [""] * rows
        self.x = self.y = 0

    def write(self, text):
        at = 0
        while at < len(text):
            if found := CONTROL.match(text, at):
                self._control(found[1] or "", found[2] or "")
                at = found.end()
            else:
                self._sign(text[at])
                at += 1

    def _sign(self, sign):
        if sign == "\n":
            self._down()
        elif sign == "\r":
            self.x = 0
        elif sign >= " ":
            if self.x == self.columns:
                self.x = 0
                self._down()
            line = self.lines[self.y].ljust(self.x)
            self.lines[self.y] = line[: self.x] + sign + line[self.x + 1 :]
            self.x += 1

    def _down(self):
        if self.y == self.rows - 1:
            self.lines = [*self.lines[1:], ""]
        else:
            self.y += 1

    def _control(self, numbers, letter):
        if letter == "A":
            self.y = max(0, self.y - int(numbers or 1))
        elif letter == "K":
            self.lines[self.y] = "" if numbers == "2" else self.lines[self.y][: self.x]
        else:
            assert letter in "mhl", f"CSI {numbers} {letter}"

    @property
    def text(self):
        return "\n".join(self.lines)
