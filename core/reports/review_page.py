"""The review as one page of HTML: everything in one file, nothing that runs, nothing that is fetched.

Every word from outside is revealed, as on a terminal, and escaped; no address is a link. The policy of the page forbids
scripts, frames, forms and all that would be fetched, should anything get past that.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from lockwarden.core.reports.decision_lines import decided
from lockwarden.core.reports.findings import LocatedFinding, findings_of_file
from lockwarden.core.reports.headline import answer_of, answer_of_run, headline_details
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.reports.standards_lines import standards_line
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.values.printable import reveal

MAX_ROWS: Final = 20_000
"""Hashes that are listed; how many are left out is said."""
_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
body { color: #1c2430; background: #fff; }
code, td.hash { font-family: ui-monospace, monospace; font-size: 13px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .15rem .6rem .15rem 0; border-bottom: 1px solid #d5dae1; }
li.error, td.disowned, td.unexplained { color: #a3122a; }
li.warning, td.unchecked { color: #7a4b00; }
td.confirmed { color: #0b5f2c; }
@media (prefers-color-scheme: dark) {
  body { color: #dde3ea; background: #14181d; }
  th, td { border-color: #343c46; }
  li.error, td.disowned, td.unexplained { color: #ff8b98; }
  li.warning, td.unchecked { color: #f0b866; }
  td.confirmed { color: #7fd69b; }
}
"""
_DIGEST: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
_HEADINGS: Final = ("Verdict", "Platform", "Hash", "Signed by", "Registry", "Verified here", "Decision", "Line")
_LIMITS: Final = (
    "A confirmed hash belongs to a package that the sources named above list or gave out. That says nothing of what "
    "the package does, and a decision is nobody's word but that of whoever made it."
)


def review_page(result: RunResult, *, version: str) -> str:
    """The whole page, with a line feed at the end."""
    return "\n".join([*_lines(result, version), ""])


def _lines(result: RunResult, version: str) -> Iterator[str]:
    answer = _text(answer_of_run(result))
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">'
    yield f"<title>Lockwarden: {answer}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{answer}</h1>"
    sources = ", ".join(_source(each.id, each.location) for each in result.sources)
    yield f"<p>Lockwarden {_text(version)}; sources: {_text(sources)}</p>"
    left = MAX_ROWS
    for file in result.files:
        yield from _file(file, left)
        left -= sum(len(each.rows) for each in file.review.providers) if file.review is not None else 0
    yield f"<p>{_text(_LIMITS)}</p></body></html>"


def _source(name: str, location: str) -> str:
    return name if location in {"", name} else f"{name} ({location})"


def _file(file: FileResult, left: int) -> Iterator[str]:
    yield f"<h2><code>{_text(file.path)}</code>: {_text(answer_of(file))}</h2>"
    yield f"<p>{_text(': '.join(headline_details(file)))}</p>"
    if file.review is not None:
        yield f"<p>Held against: {_text(standards_line(file.review.standards))}</p>"
        yield from _decisions(file.review)
    told = findings_of_file(file)
    if told:
        yield "<ul>"
        yield from map(_finding, told)
        yield "</ul>"
    for provider in () if file.review is None else file.review.providers:
        if left <= 0:
            yield f"<p>{len(provider.rows)} hashes of <code>{_text(provider.address)}</code> are left out.</p>"
        elif file.review is not None:
            yield from _provider(file.review, provider, left)
        left -= len(provider.rows)


def _decisions(review: Review) -> Iterator[str]:
    made = tuple(decided(review))
    if made:
        yield "<h3>Decided, and not in the lock file yet</h3><ul>"
        yield from (
            f"<li>{_text(word)} <code>{_text(hash_)}</code> of {_text(whose)}</li>" for word, hash_, whose in made
        )
        yield "</ul>"


def _finding(told: LocatedFinding) -> str:
    finding = told.finding
    where = f" in {told.release}" if told.release else ""
    line = f", line {finding.line}" if finding.line is not None else ""
    below = "".join(f"<br>{_text(each)}" for each in finding.lines)
    name = f"{finding.name}{where}{line}: {finding.message}"
    return f'<li class="{_text(finding.severity)}">{_text(finding.severity)}: {_text(name)}{below}</li>'


def _provider(review: Review, provider: ProviderReview, left: int) -> Iterator[str]:
    yield f"<h3><code>{_text(provider.address)}</code> {_text(provider.entry.version)}</h3><table><tr>"
    yield "".join(f"<th>{each}</th>" for each in _HEADINGS)
    yield "</tr>"
    for row in provider.rows[:left]:
        yield f"<tr>{''.join(_cells(review, provider, row))}</tr>"
    yield "</table>"
    if len(provider.rows) > left:
        yield f"<p>{len(provider.rows) - left} more are left out.</p>"


def _cells(review: Review, provider: ProviderReview, row: HashRow) -> Iterable[str]:
    known, decision = row.disposition, review.decision(provider, row)
    verdict = "waiting" if provider.waiting else str(row.verdict)
    yield f'<td class="{_text(verdict)}">{_text(verdict)}</td>'
    yield f"<td>{_text(row.label)}</td>"
    yield f'<td class="hash">{_text(row.hash.text)}</td>'
    yield f"<td><code>{_text(' '.join(sorted(known.signed_by_gpg_key_ids)))}</code></td>"
    yield f"<td>{'yes' if known.reported_by_registry else ''}</td>"
    yield f"<td>{'yes' if known.verified_locally else ''}</td>"
    yield f"<td>{_text(decision)}</td>"
    yield f"<td>{'' if row.line is None else row.line}</td>"


def _text(words: object) -> str:
    """Words from anywhere as text of the page, in which nothing is markup and nothing is hidden."""
    return escape(reveal(str(words)))
