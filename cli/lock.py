"""`lockwarden lock`: writes what the selection rule allows. It asks nothing and drops nothing."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.output import complain, complain_of, out, show, tell_left_out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.client_lock_files import as_client_reads, read_for_client
from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.lock_files import load_all
from lockwarden.core.engine.many_files import audits_of, reviewed
from lockwarden.core.engine.options import AuditOptions, GivenOptions
from lockwarden.core.engine.wanted_platforms import named_ones, not_locked, policy_choice
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import parse
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.reports.differences import Sign, difference
from lockwarden.core.reports.result import FileProblem, FileResult
from lockwarden.core.reports.text_report import shown, text_report
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.exit_codes import code_after_locking
from lockwarden.core.review.of_other_providers import with_other_providers
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.recorded_sources import beyond_first
from lockwarden.core.review.review import Review
from lockwarden.core.review.write_warnings import signed_additions
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import LockwardenError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import current_platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def lock(
    paths: tuple[str, ...],
    given: GivenOptions,
    *,
    recursive: bool = False,
    dry_run: bool = False,
    diff: bool = False,
) -> int:
    """Audit the lock files, add every new hash, print what changed and what remains, and return the exit code.

    The code is that of `check` for the files as they are afterwards, and never 0 where a platform that was named could
    not be locked. With `dry_run` nothing is written, and everything is told as if it had been.
    """
    options = options_here(given, paths, recursive=recursive)
    runtime = process_runtime(options, paths, recursive=recursive)
    loaded = load_all(paths, finder_for(options, runtime), recursive=recursive, client=options.client)
    complain_of(loaded.files)
    tell_left_out(loaded.left_out)
    result = replace(run_audits(loaded.files, options, runtime), left_out=loaded.left_out)
    locking = _Locking(options, runtime.second_reader, dry_run=dry_run, diff=diff)
    told = replace(result, files=tuple(map(locking.locked, result.files)))
    show(text_report(told), told)
    missing = [_tell_not_locked(each, options.platforms) for each in told.files]
    return int(code_after_locking(told.exit_code, lacking=any(missing)))


def _tell_not_locked(result: FileResult, choice: PlatformChoice) -> bool:
    """Complain of each platform that was asked for by name and not locked; whether there is any.

    Nothing of a file that could not be written: that was told.
    """
    written = result.review is not None and all(each.code != ProblemCode.NOT_WRITTEN for each in result.problems)
    missing = (
        ()
        if result.review is None or not written
        else tuple(not_locked(result.review, named_ones(choice, current_platform())))
    )
    of_alike: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for each in missing:
        what = f"{'is not' if each.heard else 'could not be'} locked for {each.platform}"
        of_alike[f"{what}{f': {each.why}' if each.why else ''}", each.hint].append(str(each.address))
    for (what, hint), addresses in of_alike.items():
        complain(f"{result.path}: {', '.join(addresses)} {what}", hint=hint)
    return bool(missing)


class _Locking:
    """Adds what is new to one lock file after the other."""

    def __init__(self, options: AuditOptions, second_reader: SecondReader, *, dry_run: bool, diff: bool) -> None:
        self._options, self._second_reader = options, second_reader
        self._dry_run, self._diff = dry_run, diff
        self._done: set[str] = set()
        """What was written already: two folders may share one file through a link."""

    def locked(self, result: FileResult) -> FileResult:
        """The file's result after what is new was written. A file that cannot be written is a problem of its own."""
        if result.review is None:
            return result
        accepted = result.review.with_decisions(Decisions().decide(result.review.suggested(result.review.providers)))
        file = os.path.realpath(accepted.lock_file.path)
        try:
            if not accepted.changes or (file in self._done and not self._dry_run):
                show(shown([f"{result.path}: nothing to add"]))
                return replace(result, review=self._rejudged(accepted, self._as_on_disk(accepted)))
            out(shown(_signed(accepted)))
            after = accepted.next_lock_file(self._second_reader)
            if not self._dry_run:
                save(Path(accepted.lock_file.path), after, expected=accepted.lock_file.data)
                self._done.add(file)
            show(shown(_changes(accepted, "would be written" if self._dry_run else "written")))
            if self._diff:
                out(shown(_difference(accepted, after)))
            now = self._as_read(accepted, after) if self._dry_run else self._as_on_disk(accepted)
            return replace(result, review=self._rejudged(accepted, now))
        except LockwardenError as error:
            complain(error.message, hint=error.hint)
            problem = FileProblem(
                code=ProblemCode.NOT_WRITTEN, severity=Severity.ERROR, message=error.message, hint=error.hint
            )
            return replace(result, problems=(*result.problems, problem))

    def _as_on_disk(self, review: Review) -> LockFile:
        return read_for_client(Path(review.lock_file.path), self._second_reader, client=self._options.client)

    def _as_read(self, review: Review, data: bytes) -> LockFile:
        """What would be read if these bytes were written."""
        path, client = review.lock_file.path, self._options.client
        lock_file = parse(data, path=path, second_reader=self._second_reader, client=client)
        return as_client_reads(lock_file, self._second_reader, client=client)

    def _rejudged(self, review: Review, lock_file: LockFile) -> Review:
        """The review of the lock file as it is now, judged by the same audits."""
        own = policy_choice(self._options.platforms, [review.standards])
        (told,) = with_other_providers([reviewed(lock_file, audits_of(review), review.settings, own, review.standards)])
        return told


def _difference(review: Review, after: bytes) -> Iterator[str]:
    for line in difference(review.lock_file.data, after):
        yield f"  {line.text}" if line.sign is Sign.PLACE else f"  {line.sign}{line.text}"


def _signed(review: Review) -> Iterator[str]:
    """Whose signatures beside GPG's stand behind what is about to be written."""
    for address, change in review.changes.items():
        provider = review.provider(address)
        for told in signed_additions(provider, change.add):
            yield f"{review.lock_file.path}: {address} {provider.entry.version}: {told}"


def _changes(review: Review, done: str) -> Iterator[str]:
    yield f"{review.lock_file.path}: {done}"
    for address, change in review.changes.items():
        provider = review.provider(address)
        yield f"  {address} {provider.entry.version}{_made_of(provider)}"
        yield from (f"    + {row.hash}  {row.label}" for row in provider.rows if row.hash in change.add)
        yield from _beyond_first(review, provider, change.add)


def _made_of(provider: ProviderReview) -> str:
    """That the entry is a new one, as OpenTofu would add it."""
    old = provider.entry.moved_from
    if old is None:
        return ""
    fails = "; init -lockfile=readonly fails until init has removed that one"
    return f", as OpenTofu takes the entry for {old}{'' if provider.entry.beside_old else fails}"


def _beyond_first(review: Review, provider: ProviderReview, added: Iterable[Hash]) -> Iterator[str]:
    if provider.audit is None:
        return
    beyond = beyond_first(provider.audit, added, settings=review.settings, platforms=review.platforms)
    if beyond is not None:
        count = counted(len(beyond.hashes), "hash", "hashes")
        yield f"    · {count} of these come from other methods; init takes {beyond.method} and records its alone"
