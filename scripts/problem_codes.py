"""Writes the page of problem codes from their tables: python scripts/problem_codes.py docs/problem-codes.md"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from lockwarden.core.reports.meanings import SUBJECTS

_HEAD = """# Problem codes

Every problem, change and verdict in a report has a code: `code` in JSON, `ruleId` in SARIF. Codes keep their
spelling; new ones may come. The severity is the usual one; where it depends on the case, the last words say on what.
`scripts/problem_codes.py` writes this page.

Some codes are made of others: `change-` and the kind of a change, `archive-` and what is odd about an archive,
`package-` or `image-` and what is wrong with a package in a folder or with an image, and the clients' own words for
what is wrong with a lock file. All that can be made are here.
"""


def page() -> str:
    """The whole page, with a line feed at the end."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _HEAD
    for title, table in SUBJECTS.items():
        yield f"## {title}\n"
        yield "| code | in words | what it means | what to do | severity |"
        yield "| --- | --- | --- | --- | --- |"
        for code in sorted(table):
            meaning = table[code]
            severity = str(meaning.severity) + (f". {meaning.otherwise}" if meaning.otherwise else "")
            yield f"| `{code}` | {meaning.name} | {meaning.sense} | {meaning.advice} | {severity} |"
        yield ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
