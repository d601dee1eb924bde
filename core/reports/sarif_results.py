"""Results of a SARIF log: where each stands, by what it is known again, and what it says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias
from urllib.parse import quote

from msgspec.structs import replace

from lockwarden.core.approvals.model import Approval
from lockwarden.core.reports.bounds import first_of, shortened
from lockwarden.core.reports.findings import LocatedFinding
from lockwarden.core.reports.json_text import Json
from lockwarden.core.reports.located_module_findings import LocatedModuleFinding
from lockwarden.core.values.printable import reveal

Located: TypeAlias = LocatedFinding | LocatedModuleFinding
FINGERPRINT: Final = "lockwarden/v1"
"""Not `primaryLocationLineHash`: the tools that read that compute it from the line's text, and warn of any other."""
MAX_TEXT: Final = 8_000
"""Characters of one message."""
_MAX_LINES: Final = 40
_BACKSLASHES: Final = re.compile(r"\\+(?=[\[\]])")


def result_json(told: Located, *, rule_index: int, limit: int = MAX_TEXT) -> Json:
    """One result. Its first sentence can stand alone, since some tools show no more."""
    finding = told.finding
    place = f" in {told.release}" if told.release else ""
    lines = first_of([f"{finding.name}{place}: {finding.message}", *finding.lines], _MAX_LINES)
    found: Json = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": finding.severity.value,
        "message": message_json(*lines, limit=limit),
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": artifact_uri(told.path)},
                    "region": {"startLine": finding.line or 1},
                }
            }
        ],
        "partialFingerprints": {FINGERPRINT: _fingerprint(told)},
    }
    if finding.approval is not None:
        found["suppressions"] = [_suppression(finding.approval)]
    return found


def message_json(*lines: str, limit: int = MAX_TEXT) -> Json:
    """A plain text message in which nothing from outside is a control character, a link or a placeholder."""
    text = "\n".join(shortened(reveal(line), MAX_TEXT) for line in lines)
    text = shortened(text, limit).replace("{", "{{").replace("}", "}}")
    # Only a bracket with a parenthesis after it makes a link; others may stand as they are. A backslash before a
    # bracket would escape it, or the backslash that is put there.
    return {"text": _BACKSLASHES.sub(r"\g<0>\g<0>", text).replace("](", "\\](")}


def artifact_uri(path: str) -> str:
    """The path as a URI: relative where the path is, which tools take as relative to the repository, else `file:`."""
    quoted = quote(path.encode("utf-8", "surrogateescape" if _from_system(path) else "surrogatepass"))
    return f"file://{quoted}" if PurePosixPath(path).is_absolute() else quoted


def _from_system(path: str) -> bool:
    """Whether every lone surrogate stands for a byte of a file name that is not UTF-8, as Python writes them."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in path)


def merged(told: Sequence[Located]) -> tuple[Located, ...]:
    """The same with problems of one code, provider and place joined into one result.

    Tools know a result again by its rule and its place, and would silently show one of several.
    """
    groups: dict[tuple[str, str, str, int, str], list[Located]] = {}
    for each in told:
        finding = each.finding
        key = (each.path, each.about, finding.code, finding.line or 1, finding.subject)
        groups.setdefault(key, []).append(each)
    return tuple(_joined(group) for group in groups.values())


def _joined(group: Sequence[Located]) -> Located:
    first, *others = group
    lines = [*first.finding.lines]
    for each in others:
        lines += [each.finding.message, *each.finding.lines]
    return replace(first, finding=replace(first.finding, lines=tuple(dict.fromkeys(lines))))


def _fingerprint(told: Located) -> str:
    """The same wherever in the file it stands: made of the provider, the code and the hash."""
    parts = f"{told.about}\0{told.finding.code}\0{told.finding.subject}"
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


def _suppression(approval: Approval) -> Json:
    until = f", until {approval.ends}"
    signed = "" if approval.signature is None else f"; signed by {approval.signature.who}"
    text = f"approved by {approval.by} on {approval.at:%Y-%m-%d}{until}: {approval.reason} ({approval}){signed}"
    return {"kind": "external", "status": "accepted", "justification": shortened(reveal(text), MAX_TEXT)}
