"""The review as a file to hand on, with its decisions: which form, the ending of the file's name says."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from lockwarden.core import __version__
from lockwarden.core.reports.result import RunResult
from lockwarden.core.values.errors import InputError

ENDINGS: Final = (".md", ".json", ".html")


def exported(result: RunResult, path: PurePath) -> bytes:
    """The review in the form of the file's ending. Raises InputError for another ending."""
    match path.suffix.lower():
        case ".md" | ".markdown":
            from lockwarden.core.reports.markdown import markdown_report

            text = markdown_report(result)
        case ".json":
            from lockwarden.core.reports.json_report import json_report

            text = json_report(result, version=__version__)
        case ".html" | ".htm":
            from lockwarden.core.reports.review_page import review_page

            text = review_page(result, version=__version__)
        case other:
            raise InputError(
                f"a review is not exported as “{other or path.name}”",
                hint=f"let the name end with {', '.join(ENDINGS)}",
            )
    return text.encode("utf-8", "backslashreplace")
