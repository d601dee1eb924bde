"""What a platform's name may be a slip of. Pure."""

from __future__ import annotations

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.values.platforms import POPULARITY, Platform


def meant_platform(platform: Platform, audit: Audit | None) -> str:
    """The name that a platform's looks like; empty where nothing does, or where a source or many people know it.

    It is for a question: a platform that nobody asked has a package for may exist all the same.
    """
    answers = () if audit is None else audit.source_answers
    known = frozenset[Platform]().union(*(answer.platforms or () for answer in answers))
    if platform in known or str(platform) in POPULARITY:
        return ""
    from difflib import get_close_matches

    alike = get_close_matches(str(platform).lower(), sorted({*map(str, known), *POPULARITY}), n=1)
    return "".join(alike)
