"""Texts that try to act on the terminal or to be read as markup, in every place where text comes from outside."""

from __future__ import annotations

from msgspec.structs import replace

from fakes.lock_files import HEADER, HOST, World, block
from fakes.releases import MIRROR, audit, key, mirror, origin, release, silent
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

TITLE = "\x1b]0;owned\x07"
CLIPBOARD = "\x1b]52;c;b3duZWQ=\x07"
C1 = "\x9b31mred"
BIDI = "\u202e0123\u202c"
ZERO = "ze\u200bro\u2060width\ufeff"
LINK = "[@click=app.quit]click[/]"
STYLED_LINK = "[$error @click=app.quit]x[/]"
CLOSING = "[/nothing] [/]"
BRACKETS = "linux[amd64]"
TOWER = "a" + "\u0301" * 12
LINES = "one\r\ntwo\ttab"
ALL = (TITLE, CLIPBOARD, C1, BIDI, ZERO, LINK, STYLED_LINK, CLOSING, BRACKETS, TOWER, LINES)
EVERYTHING = " ".join(ALL)


def hostile() -> World:
    """A lock file whose hashes are such texts, and an audit whose user IDs, details and problems are."""
    made = release(f"{HOST}/corp/edge", "2.0.0", signing=key(user_id=f"{LINK}{TITLE}{BIDI} Example"))
    named = [Hash(f"zh:{text}") for text in (LINK, STYLED_LINK, CLOSING, BIDI)] + [Hash(f"{BRACKETS}:x")]
    locked = [made.zh("linux_amd64"), made.h1("linux_amd64"), *named]
    text = HEADER + block(str(made.address), "2.0.0", locked)
    problem = Problem(
        code=ProblemCode.APPROVALS_CHANGED,
        severity=Severity.ERROR,
        message=EVERYTHING,
        hint=EVERYTHING,
        source=MIRROR.id,
    )
    said = origin(made, downloaded=["linux_amd64"])
    listed = replace(said, detail=EVERYTHING, problems=(problem,))
    broken = replace(
        mirror(made, "darwin_arm64", build=" again"),
        source=replace(MIRROR, id=f"mirror{LINK}{TITLE}", location=f"https://mirror.example.test/{STYLED_LINK}{C1}"),
        problems=(problem,),
    )
    mute = silent(replace(MIRROR, id=f"other{CLOSING}{ZERO}"), EVERYTHING, problem)
    return World(text.encode(), (audit(made, listed, broken, mute),))
