"""Which CLI configuration a run went by: it says where providers come from, and so who is asked at all."""

from __future__ import annotations

from lockwarden.core.reports.json_values import Json
from lockwarden.core.reports.result import UsedConfiguration
from lockwarden.core.values.used_files import UsedFile

_DIGITS_OF_A_COMMIT = 12


def configuration_line(used: UsedConfiguration) -> str:
    """One line: the files with their digests, and the hosts whose services they replace."""
    parts = [file_words(each) for each in used.files] or ["no CLI configuration file"]
    if used.replaced_hosts:
        parts.append(replaced_words(used))
    return f"Configuration: {'; '.join(parts)}"


def file_words(file: UsedFile) -> str:
    """One file with its digest, and the commit that it was read at."""
    at = f" at {file.revision[:_DIGITS_OF_A_COMMIT]}" if file.revision else ""
    return f"{file.path}{at} ({file.digest})"


def replaced_words(used: UsedConfiguration) -> str:
    """The hosts that are not asked for their services."""
    return f"host blocks replace the services of {', '.join(used.replaced_hosts)}"


def configuration_json(used: UsedConfiguration | None) -> Json | None:
    """The same with full values; null where no configuration was looked for."""
    if used is None:
        return None
    return {
        "files": [
            {"path": each.path, "digest": each.digest} | ({"revision": each.revision} if each.revision else {})
            for each in used.files
        ],
        "replaced_hosts": list(used.replaced_hosts),
    }
