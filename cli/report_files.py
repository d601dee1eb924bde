"""Reports that go to files beside the one on stdout, as `FORM:FILE`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from msgspec import Struct

from lockwarden.core.system.named_files import write_named_file
from lockwarden.core.values.errors import InputError


class ReportFile(Struct, frozen=True):
    """One report that goes to a file beside the one on stdout."""

    form: str
    path: Path

    def write(self, report: str) -> None:
        """Write it whole. Raises SaveError."""
        write_named_file(self.path, report.encode("utf-8", "backslashreplace"), what=f"the {self.form} report")


def report_file(text: str, forms: Collection[str]) -> ReportFile:
    """What a word of the command line asks for. Raises InputError."""
    form, colon, name = text.partition(":")
    if not colon or not name or "\0" in name or form not in forms:
        raise InputError(
            f"--report: “{text}” is not FORM:FILE",
            hint=f"FORM is one of {_listed(forms)}, such as {_example(forms)}",
        )
    return ReportFile(form, Path(name))


def _example(forms: Collection[str]) -> str:
    form = "sarif" if "sarif" in forms else "html"
    return f"{form}:report.{form}"


def _listed(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}"
