"""What a running audit shows of itself on one line: for how long, who keeps silent, what arrives. Pure."""

from __future__ import annotations

from textual.content import Content

from lockwarden.core.evidence.pulse import PATIENCE, Pulse, arriving_words, duration, retry_words, silent_words
from lockwarden.tui.render.styles import STYLES, Hue
from lockwarden.tui.render.text import cells, plain, shorten

_GAP = 2


def pulse_line(pulse: Pulse, width: int) -> Content:
    """As much as fits, the most urgent first; empty while an audit has lasted less than a second."""
    if pulse.elapsed < PATIENCE:
        return Content("")
    parts = [(f"? {silent_words(each)}", Hue.OPEN) for each in pulse.silent]
    parts += [(f"? {retry_words(each)}", Hue.OPEN) for each in pulse.retries]
    if pulse.received:
        parts.append((arriving_words(pulse), Hue.PLAIN))
    shown = [plain(duration(pulse.elapsed), STYLES[Hue.QUIET])]
    left = width - shown[0].cell_length
    for place, (words, hue) in enumerate(parts):
        left -= _GAP
        if place and cells(words) > left:
            break
        told = shorten(words, left)
        left -= cells(told)
        shown.append(plain(told, STYLES[hue]))
    return Content(" " * _GAP).join(shown)
