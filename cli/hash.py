"""`lockwarden hash`: what the bytes of packages hash to, and what is odd about them. Nothing is extracted."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from lockwarden.cli.output import complain, show
from lockwarden.cli.own_settings import settings_here
from lockwarden.core.archives.facts import ArchiveFacts
from lockwarden.core.archives.inspection import inspect_open_archive
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.store.package_files import OpenFile
from lockwarden.core.store.unpacked_folders import inspect_folder
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import zh_of_digest


def hash_packages(paths: tuple[str, ...]) -> int:
    """Print the hashes of each package; one that cannot be read stops no other. Returns the exit code.

    It is 1 when no `h1` can be claimed for an archive, and 2 when something is no package at all.
    """
    settings_here(paths)
    return int(worst([hash_package(path) for path in paths]))


def hash_package(path: str) -> ExitCode:
    """Print the hashes of one package: a zip archive, or a folder that holds the files of one."""
    try:
        if Path(path).is_dir():
            show(shown([path, f"  {inspect_folder(Path(path)).h1}"]))
            return ExitCode.NOTHING_TO_OBJECT
        return _hash_archive(path)
    except ArchiveError as error:
        complain(f"{path}: {error.message}", hint=error.hint)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a path"
        complain(f"{path} cannot be read: {reason}", hint="name a provider's zip archive, or the folder it unpacks to")
    return ExitCode.UNUSABLE_INPUT


def _hash_archive(path: str) -> ExitCode:
    with OpenFile(Path(path), follow=True) as file:
        if not file.regular:
            raise ArchiveError("it is neither a regular file nor a folder", code=ArchiveFault.NOT_A_FILE)
        # Read once: what is looked into is what was hashed, whoever writes to the file meanwhile.
        copied = file.copied(Path(tempfile.gettempdir()), None, lambda: False)
    with copied:
        show(shown([path, f"  {zh_of_digest(copied.digest)}"]))
        facts = inspect_open_archive(copied.file)
    show(shown(f"  {line}" for line in _h1_lines(facts)))
    for oddity in facts.oddities:
        complain(oddity.message, prefix=f"{path}: {'error' if oddity.fatal else 'warning'}: ")
    return code_for(objected=any(oddity.fatal for oddity in facts.oddities))


def _h1_lines(facts: ArchiveFacts) -> Iterator[str]:
    """One line where archive and directory agree; else the directory's first, which the clients record."""
    if facts.h1_directory is not None:
        other = facts.h1_archive not in {None, facts.h1_directory}
        yield f"{facts.h1_directory}{'  of the directory, which the clients record' if other else ''}"
    if facts.h1_archive is not None and facts.h1_archive != facts.h1_directory:
        yield f"{facts.h1_archive}  of the archive's entries"
