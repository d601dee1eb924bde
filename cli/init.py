"""`lockwarden init`: proposes a policy from what the audit of the present lock files sees."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from pathlib import Path

from lockwarden.cli.audits import run_audits
from lockwarden.cli.output import complain_of, out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.core.engine.lock_files import load
from lockwarden.core.engine.many_files import audits_of
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.engine.policy_files import find_policy
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import POLICY_FILE_NAME
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.approvals_signer_proposal import signer_proposal
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.policy_proposal import proposal
from lockwarden.core.system.own_files import save_own_file
from lockwarden.core.values.errors import InputError


def init(paths: tuple[str, ...], given: GivenOptions, *, write: bool) -> int:
    """Audit the lock files without any policy, print the proposal or write it, and return the exit code.

    The code is that of `check` for the lock files as they are, without a policy. Raises InputError when there is a
    policy already that writing would replace or hide, and SaveError when it cannot be written.
    """
    options = options_here(given, paths)
    runtime = process_runtime(options, paths)
    loaded = tuple(load(path, runtime.second_reader, client=options.client) for path in paths or (".",))
    complain_of(loaded)
    lock_files = [each.lock_file for each in loaded if each.lock_file is not None]
    if not lock_files:
        return int(ExitCode.UNUSABLE_INPUT)
    target = _target(lock_files, finder_for(options, runtime)) if write else None
    result = run_audits(loaded, options, runtime)
    audits = audits_of(*result.reviews)
    proposed = proposal(audits.values(), lock_files, seen=runtime.now().astimezone(UTC).date())
    proposed = b"\n".join(filter(None, (proposed, _signers(lock_files, finder_for(options, runtime)))))
    if target is None:
        out(shown(proposed.decode().splitlines()))
    else:
        save_own_file(target, proposed, expected=None)
        out(shown([f"{target}: written; read it before you commit it"]))
    return int(result.exit_code)


def _signers(lock_files: Iterable[LockFile], finder: StandardsFinder) -> bytes:
    """Who has signed the approvals of these lock files, as a proposal; nothing where no policy is asked about it."""
    found: dict[bytes, bytes] = {}
    for each in lock_files:
        approvals, verdict = finder.signed_approvals(each)
        found.setdefault(approvals.data, signer_proposal(approvals, (verdict,)))
    return b"\n".join(filter(None, found.values()))


def _target(lock_files: Iterable[LockFile], finder: StandardsFinder) -> Path:
    """Where the proposal goes: to the root of the repository of all lock files, or beside the only one."""
    folders: set[Path] = set()
    for each in lock_files:
        lock_file = Path(each.path)
        repository = finder.repository(lock_file)
        root = None if repository is None else repository.root
        there = find_policy(lock_file, root=root, option=None, environ={}, directory=finder.directory)
        if there is not None:
            raise InputError(
                f"there is a policy already that counts for {each.path}: {there.path}",
                hint="leave --write out to see the proposal, and take over from it what you want",
            )
        folders.add(lock_file.parent.resolve() if root is None else root)
    if len(folders) > 1:
        raise InputError(
            "the lock files lie in different repositories or folders, which no single policy can be found from",
            hint="name those of one repository, or leave --write out",
        )
    return folders.pop() / POLICY_FILE_NAME
