"""`lockwarden bundle`: an audit, and all that it rested on in one file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.output import complain_of, on_terminal, out, tell_left_out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.core import __version__
from lockwarden.core.bundles.vouching import NAMESPACE, SUFFIX
from lockwarden.core.engine.evidence_recording import made_bundle, recorder_for
from lockwarden.core.engine.lock_files import load_all
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import in_words
from lockwarden.core.signatures.ssh_signing import sign
from lockwarden.core.system.named_files import write_named_file
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import InputError


def bundle(
    paths: tuple[str, ...],
    given: GivenOptions,
    *,
    output: str,
    sign_key: str | None = None,
    recursive: bool = False,
) -> int:
    """Audit the lock files, write the bundle, and return 0 when it is written, whatever the audit found.

    Raises InputError for what cannot be read or signed with, and where there is more than a bundle may hold; ToolError,
    SaveError.
    """
    beside = Path(f"{output}{SUFFIX}")
    if sign_key is None and beside.exists():
        raise InputError(
            f"{beside} is there, and would be a signature of other evidence",
            hint="sign the new evidence with --sign-key, or remove it",
        )
    options = options_here(given, paths, recursive=recursive)
    runtime = process_runtime(options, paths, recursive=recursive)
    runtime = replace(runtime, recorder=(recorder := recorder_for(options, runtime, Path.cwd())))
    loaded = load_all(
        paths, finder_for(options, runtime), base=options.base, recursive=recursive, client=options.client
    )
    complain_of(loaded.files)
    tell_left_out(loaded.left_out)
    readable = [each for each in loaded.files if each.lock_file is not None]
    if not readable:
        raise InputError("there is no lock file that can be read, so there is no evidence", hint="name one")
    result = run_audits(loaded.files, options, runtime)
    data = made_bundle(recorder, readable, options.platforms, runtime, tool=__version__)
    if sign_key is not None:
        text, signed = sign(data, key=sign_key, namespace=NAMESPACE, environ=runtime.environ, on_terminal=on_terminal())
    write_named_file(Path(output), data, what="the evidence")
    if sign_key is not None:
        write_named_file(beside, text.encode("ascii"), what="its signature")
    releases = {(each.address, each.entry.version) for review in result.reviews for each in review.providers}
    of = f"{counted(len(releases), 'release')} for {counted(len(readable), 'lock file')}"
    lines = [f"{output}: evidence of {of}, sha256 {hashlib.sha256(data).hexdigest()}"]
    lines.append(f"the audit itself: exit code {int(result.exit_code)}, {in_words(result.exit_code)}")
    if sign_key is None:
        lines.append(f"it is not signed: ssh-keygen -Y sign -n {NAMESPACE} -f KEY {output}")
    else:
        lines.append(f"{beside}: signed by {signed.key.fingerprint}")
    out(shown(lines))
    return 0
