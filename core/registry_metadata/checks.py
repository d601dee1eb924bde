"""What speaks against one metadata file, by itself and without asking anybody."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from lockwarden.core.registry_metadata.findings import MetadataFinding
from lockwarden.core.registry_metadata.model import (
    EMPTY_DIGEST,
    EMPTY_H1,
    MetadataVersion,
    ProviderMetadata,
    Target,
)
from lockwarden.core.registry_metadata.plan import fill_of_versions, urlsplit_or_none
from lockwarden.core.values.hashes import H1, ZH, Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

SYSTEMS: Final = ("darwin", "freebsd", "linux", "windows", "openbsd", "solaris")
ARCHITECTURES: Final = ("386", "amd64", "arm", "arm64")
"""In the order in which the registry writes them; it indexes no others."""
PROTOCOLS: Final = frozenset({"1.0", "1.0.0", "4.0", "5.0", "6.0"})
_SHASUM_DIGITS: Final = 64
_DISCOVERED: Final = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z\Z")
_BUMP: Final = "have the registry index the version anew, or correct the file by hand"


class MetadataFile:
    """What is known of one file beside its content, for the rules."""

    def __init__(self, metadata: ProviderMetadata, *, namespace: str, name: str, now: datetime) -> None:
        """`now` is in UTC."""
        self.metadata = metadata
        self.namespace = namespace
        self.name = name
        self.now = now

    def findings(self) -> Iterator[MetadataFinding]:
        """All of them, in the order of the file."""
        versions = self.metadata.listed
        if not versions:
            yield MetadataFinding(
                code=ProblemCode.METADATA_RULE, severity=Severity.ERROR, message="it has no version", hint=_BUMP
            )
        yield from self._order()
        yield from self._coverage()
        for place, version in enumerate(versions):
            for code, severity, message, hint in self._of_version(version):
                yield MetadataFinding(code=code, severity=severity, message=message, hint=hint, version=place)
            for at, target in enumerate(version.packages):
                for code, severity, message, hint in self._of_target(version, target):
                    text = f"{version.version} {target.platform}: {message}"
                    yield MetadataFinding(
                        code=code, severity=severity, message=text, hint=hint, version=place, target=at
                    )

    def _order(self) -> Iterator[MetadataFinding]:
        parsed = [each.parsed for each in self.metadata.listed]
        for place, (before, after) in enumerate(pairwise(parsed)):
            if before is not None and after is not None and before < after:
                yield MetadataFinding(
                    code=ProblemCode.METADATA_ORDER,
                    severity=Severity.WARNING,
                    message=f"version {after} stands below {before}, and the newest comes first",
                    version=place + 1,
                )
                return

    def _coverage(self) -> Iterator[MetadataFinding]:
        versions = self.metadata.listed
        coverage = fill_of_versions(versions)
        counts = Counter(coverage)
        open_ = counts["unfilled"] + counts["partial"]
        if not open_:
            return
        bottom = next((at for at, each in enumerate(reversed(coverage)) if each != "unfilled"), len(coverage))
        trace = ""
        if 1 < bottom < len(coverage):
            trace = f"; none is from {versions[-bottom].version} down, as where a backfill ended at a version"
        yield MetadataFinding(
            code=ProblemCode.METADATA_UNFILLED,
            severity=Severity.WARNING,
            message=f"of {len(versions)} versions {counts['unfilled']} have no h1 and size, {counts['partial']} have"
            f" some{trace}",
            hint="lockwarden registry backfill fills them in; until then OpenTofu from 1.12 on does not install them",
        )

    def _of_version(self, version: MetadataVersion) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        name = version.version
        if version.parsed is None or not re.match(r"\d+\.\d+\.\d+", name):
            yield (ProblemCode.METADATA_RULE, Severity.ERROR, f"“{name}” is no semantic version", _BUMP)
        for each in version.protocols or ():
            if each not in PROTOCOLS:
                yield (ProblemCode.METADATA_RULE, Severity.ERROR, f"{name} has the unknown protocol “{each}”", _BUMP)
        if not version.packages:
            yield (ProblemCode.METADATA_RULE, Severity.ERROR, f"{name} has no target", _BUMP)
        yield from self._platforms(version)
        yield from _repeated(version)
        yield from _folders(version)
        yield from self._discovered(version)

    def _platforms(self, version: MetadataVersion) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        platforms = [each.platform for each in version.packages]
        for each in _twice(platforms):
            message = f"{version.version} has {each} twice"
            yield (ProblemCode.METADATA_RULE, Severity.ERROR, message, _BUMP)
        places = [_place(each) for each in version.packages]
        known = [each for each in places if each is not None]
        if known != sorted(known):
            message = f"the targets of {version.version} stand in another order than the registry writes"
            yield (ProblemCode.METADATA_ORDER, Severity.WARNING, message, "")

    def _discovered(self, version: MetadataVersion) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        text = version.discovered
        if text is None:
            return
        match = _DISCOVERED.match(text)
        try:
            moment = None if match is None else datetime.fromisoformat(match[1]).replace(tzinfo=UTC)
        except ValueError:
            moment = None
        if moment is None or moment > self.now:
            why = "is no time in UTC" if moment is None else "lies ahead"
            message = f"{version.version} was discovered at “{text}”, which {why}"
            yield (ProblemCode.METADATA_DISCOVERED, Severity.WARNING, message, "")

    def _of_target(self, version: MetadataVersion, target: Target) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        if _place(target) is None:
            message = "the registry indexes no such platform"
            yield (ProblemCode.METADATA_RULE, Severity.ERROR, message, _BUMP)
        if not target.filename or not target.download_url.endswith(f"/{target.filename}"):
            message = "its URL does not end with its file name"
            yield (ProblemCode.METADATA_RULE, Severity.ERROR, message, _BUMP)
        yield from self._names(version, target)
        yield from _hash_fields(target)

    def _names(self, version: MetadataVersion, target: Target) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
        beginning, ending = f"terraform-provider-{self.name}_", f"_{target.platform}.zip"
        right = {f"{beginning}{prefix}{version.version}{ending}".lower() for prefix in ("", "v")}
        if target.filename.lower() not in right:
            message = f"its file “{target.filename[:120]}” is not named like this provider, version and platform"
            yield (ProblemCode.METADATA_PATH, Severity.WARNING, message, "")
        parts = urlsplit_or_none(target.download_url)
        if parts is None or parts.netloc.lower() != "github.com":
            return
        owner = "opentofu" if self.namespace.lower() == "hashicorp" else self.namespace.lower()
        repository = f"/{owner}/terraform-provider-{self.name}/".lower()
        if not parts.path.lower().startswith(repository):
            message = f"its URL leads to another repository than {repository.strip('/')}"
            yield (ProblemCode.METADATA_PATH, Severity.WARNING, message, "find out where it was moved, and why")


def listed_findings(metadata: ProviderMetadata, blacklisted: Iterable[str]) -> Iterator[MetadataFinding]:
    """What the lists of failed and of unwanted versions say of those that are there."""
    places = {each.version: place for place, each in reversed([*enumerate(metadata.listed)])}
    failed = {each.version.removeprefix("v") for each in metadata.versions_errors or ()}
    for version in sorted(failed & set(places)):
        yield MetadataFinding(
            code=ProblemCode.METADATA_LISTED,
            severity=Severity.NOTE,
            message=f"{version} is there, and still among the versions that failed",
            version=places[version],
        )
    for version in sorted(set(blacklisted) & set(places)):
        yield MetadataFinding(
            code=ProblemCode.METADATA_LISTED,
            severity=Severity.WARNING,
            message=f"{version} is on the list of versions that must not be added, and is given out",
            hint="that list only stops adding; take the version out by hand if nobody should install it",
            version=places[version],
        )


def form_findings(odd: Sequence[str], *, canonical: bool) -> Iterator[MetadataFinding]:
    """What is odd about the bytes and the keys."""
    if not canonical:
        yield MetadataFinding(
            code=ProblemCode.METADATA_FORM,
            severity=Severity.WARNING,
            message="its bytes are not those that the registry's tools would write for it",
            hint="a tool that writes the whole file changes more than it means to; a backfill edits it as text",
        )
    for each in odd:
        yield MetadataFinding(code=ProblemCode.METADATA_FORM, severity=Severity.WARNING, message=each)


def _hash_fields(target: Target) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
    again = "compute it again from the package"
    if not Hash(f"{ZH}:{target.shasum}").usable:
        wrong = "64 characters" if len(target.shasum) != _SHASUM_DIGITS else "lower-case hexadecimal digits"
        message = f"its shasum is not {wrong}, so the clients refuse every package"
        yield (ProblemCode.METADATA_HASH, Severity.ERROR, message, _BUMP)
    if target.shasum == EMPTY_DIGEST or target.h1 == EMPTY_H1:
        message = "its hash is that of no content at all, as of a file that was missing"
        yield (ProblemCode.METADATA_EMPTY, Severity.ERROR, message, again)
    if target.h1 and not (target.h1.startswith(f"{H1}:") and Hash(target.h1).usable):
        message = f"its h1 “{target.h1[:80]}” is none, so it can never match"
        yield (ProblemCode.METADATA_HASH, Severity.ERROR, message, again)
    if (target.size or 0) < 0:
        yield (ProblemCode.METADATA_HASH, Severity.ERROR, f"its size is {target.size}", again)
    if target.half_filled:
        there, missing = ("h1", "size") if target.h1 else ("size", "h1")
        message = f"it has {'an' if target.h1 else 'a'} {there} and no {missing}"
        yield (ProblemCode.METADATA_HASH, Severity.ERROR, message, again)


def _repeated(version: MetadataVersion) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
    for what, values in (
        ("shasum", [each.shasum for each in version.packages]),
        ("h1", [each.h1 for each in version.packages]),
    ):
        for value in _twice([each for each in values if each]):
            message = f"two targets of {version.version} have the {what} {value[:80]}"
            hint = "clients may crash over it; find out which platform the package is for"
            yield (ProblemCode.METADATA_REPEATED, Severity.ERROR, message, hint)


def _folders(version: MetadataVersion) -> Iterator[tuple[ProblemCode, Severity, str, str]]:
    urls = [*(each.download_url for each in version.packages), version.shasums_url, version.shasums_signature_url]
    folders = list(dict.fromkeys(each.rpartition("/")[0] for each in urls if each))
    if len(folders) > 1:
        message = f"the URLs of {version.version} lead to {len(folders)} folders, as {folders[1][:200]}"
        yield (ProblemCode.METADATA_RELEASE, Severity.WARNING, message, "a release lies in one folder")
    elif folders and version.version not in folders[0]:
        message = f"the URLs of {version.version} do not name the version: {folders[0][:200]}"
        yield (ProblemCode.METADATA_RELEASE, Severity.WARNING, message, "look whether it is another release")


def _place(target: Target) -> tuple[int, int] | None:
    if target.os not in SYSTEMS or target.arch not in ARCHITECTURES:
        return None
    return SYSTEMS.index(target.os), ARCHITECTURES.index(target.arch)


def _twice(values: Iterable[str]) -> Iterator[str]:
    yield from (value for value, count in Counter(values).items() if count > 1)
