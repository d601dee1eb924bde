"""`lockwarden keys`: who signs the locked providers, and whether the keys were and are good."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.output import complain_of, out, show, tell_left_out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.lock_files import load_all
from lockwarden.core.engine.many_files import audits_of
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.reports.json_keys import json_keys
from lockwarden.core.reports.key_lines import key_lines, other_lines, unknown_issuer_lines
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.standards_lines import standards_lines
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import code_for, worst
from lockwarden.core.review.key_use import KeyUse, code_of_signatures, key_uses, unknown_issuers, why_no_key
from lockwarden.core.review.other_signings import signings_in_run
from lockwarden.core.review.trusted_keys import trust_in_run
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.fingerprints import read_fingerprint


def keys(
    paths: tuple[str, ...], given: GivenOptions, *, form: str, armor: str | None = None, recursive: bool = False
) -> int:
    """Ask for the signatures of every locked release, write the keys to stdout and return the exit code.

    With `armor`, a fingerprint, only that key is written, as its registry offered it. Raises InputError when none did.
    """
    wanted = None if armor is None else read_fingerprint(armor)
    read = options_here(given, paths, recursive=recursive)
    # The documents of a release are read whatever is wanted, and no key lies in a package.
    options = replace(read, platforms=PlatformChoice(wanted=frozenset()))
    runtime = process_runtime(options, paths, recursive=recursive)
    loaded = load_all(paths, finder_for(options, runtime), recursive=recursive)
    complain_of(loaded.files)
    tell_left_out(loaded.left_out)
    result = replace(run_audits(loaded.files, options, runtime), left_out=loaded.left_out)
    audits = tuple(audits_of(*result.reviews).values())
    uses = key_uses(audits)
    unusable = any(each.review is None for each in result.files)
    code = worst((code_for(unusable=unusable), code_of_signatures(audits)))
    if wanted is not None:
        out(_armor(uses, wanted))
    elif form == "json":
        out(json_keys(result, uses, code, unknown_issuers(audits)))
    else:
        show(shown(_text(result, audits, uses)))
    return int(code)


def _armor(uses: Iterable[KeyUse], fingerprint: str) -> str:
    """The block that a key was offered in. It may hold other keys beside it, and who made it is anybody's guess."""
    for use in uses:
        if use.key.fingerprint == fingerprint:
            return shown(use.key.armor.splitlines())
    raise InputError(
        f"no source offers the key {fingerprint}", hint="lockwarden keys without --armor lists those that were offered"
    )


def _text(result: RunResult, audits: Sequence[Audit], uses: Iterable[KeyUse]) -> Iterator[str]:
    for each in result.files:
        if each.review is None:
            yield f"{each.path}: Cannot be read"
    yield from key_lines(uses, partial(trust_in_run, result.reviews))
    yield from unknown_issuer_lines(unknown_issuers(audits))
    others = signings_in_run(result.reviews)
    yield from other_lines(others)
    if not any(answer.source.is_origin for audit in audits for answer in audit.source_answers):
        yield from ("",) if others else ()
        yield "No key was seen: only origin registries have any of GPG; add --source direct"
        yield from ("", *standards_lines(result))
        return
    yield from _keyless(audits)
    yield from ("", *standards_lines(result))


def _keyless(audits: Iterable[Audit]) -> Iterator[str]:
    """Releases without a key, together where it is for the same reason. Of whom nobody heard, none is known."""
    found: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for audit in audits:
        name = f"{audit.address} {audit.version}"
        if audit.origin is None:
            found["No key", "the configured sources for it have none", ""].append(name)
        for answer in audit.source_answers:
            if answer.source.is_origin and not answer.keys:
                why, heard = why_no_key(answer), answer.outcome is Outcome.ANSWERED
                found[("No key", why, "") if heard else ("No key known", why, answer.hint)].append(name)
    for (what, why, hint), names in found.items():
        yield ""
        yield f"{what} for {', '.join(names)}: {why}"
        if hint:
            yield f"  → {hint}"
