#!/usr/bin/env python3
"""Turns what a terminal shows (text with ANSI colours, on standard input) into
an SVG picture on standard output.

    bin/copse play bosk --seed oak --colour always < MOVES | docs/pictures/terminal.py > PICTURE.svg
"""
import html
import re
import sys

CELL_W, CELL_H, MARGIN = 8.4, 18, 16
PAPER, INK = "#20271F", "#EFE8D8"
BASIC = ["#10140F", "#C4473A", "#6FA35B", "#D9A441", "#5B8FC4", "#A678C4", "#5FB3AC", "#D8D2C0"]


def colour(codes, i):
    """Reads an extended colour from the codes of an escape, from place i."""
    if codes[i + 1] == 2:
        return "#%02X%02X%02X" % tuple(codes[i + 2:i + 5]), i + 4
    n = codes[i + 2]
    if n < 16:
        return BASIC[n % 8], i + 2
    if n >= 232:
        return "#%02X%02X%02X" % ((8 + 10 * (n - 232),) * 3), i + 2
    n -= 16
    level = [0, 95, 135, 175, 215, 255]
    return "#%02X%02X%02X" % (level[n // 36], level[n // 6 % 6], level[n % 6]), i + 2


def cells(line):
    """Yields each character of a line with its colours and weight."""
    style = {"fg": None, "bg": None, "bold": False, "dim": False, "inverse": False}
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b"):
            for ch in part:
                yield ch, dict(style)
            continue
        codes = [int(c or 0) for c in part[2:-1].split(";")]
        i = 0
        while i < len(codes):
            c = codes[i]
            if c == 0:
                style = {"fg": None, "bg": None, "bold": False, "dim": False, "inverse": False}
            elif c == 1:
                style["bold"] = True
            elif c == 2:
                style["dim"] = True
            elif c == 7:
                style["inverse"] = True
            elif c == 22:
                style["bold"] = style["dim"] = False
            elif c == 27:
                style["inverse"] = False
            elif 30 <= c <= 37 or 90 <= c <= 97:
                style["fg"] = BASIC[c % 10]
            elif 40 <= c <= 47 or 100 <= c <= 107:
                style["bg"] = BASIC[c % 10]
            elif c == 39:
                style["fg"] = None
            elif c == 49:
                style["bg"] = None
            elif c in (38, 48):
                value, i = colour(codes, i)
                style["fg" if c == 38 else "bg"] = value
            i += 1


def main():
    lines = [list(cells(line)) for line in sys.stdin.read().rstrip("\n").split("\n")]
    width = MARGIN * 2 + CELL_W * max(len(line) for line in lines)
    height = MARGIN * 2 + CELL_H * len(lines)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
        f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" fill="{INK}">',
    ]
    for y, line in enumerate(lines):
        top = MARGIN + y * CELL_H
        runs = []
        for x, (ch, style) in enumerate(line):
            if style["inverse"]:
                style = dict(style, fg=style["bg"] or PAPER, bg=style["fg"] or INK)
            if runs and runs[-1][2] == style:
                runs[-1][1] += ch
            else:
                runs.append([x, ch, style])
        for x, text, style in runs:
            left, length = MARGIN + x * CELL_W, len(text) * CELL_W
            if style["bg"]:
                out.append(f'<rect x="{left:.1f}" y="{top}" width="{length:.1f}" height="{CELL_H}" fill="{style["bg"]}"/>')
            if text.strip():
                attrs = f' fill="{style["fg"]}"' if style["fg"] else ""
                attrs += ' font-weight="700"' if style["bold"] else ""
                attrs += ' opacity="0.65"' if style["dim"] else ""
                out.append(f'<text x="{left:.1f}" y="{top + 13.5}" textLength="{length:.1f}" xml:space="preserve"{attrs}>{html.escape(text)}</text>')
    out.append("</g>\n</svg>")
    print("\n".join(out))


main()
