"""What a network mirror's listed hashes are worth, held against the package that it really gives out.

Two views of one list. The client's: any one match is enough, and a hash without a scheme is an error. Ours: each listed
hash is judged on its own, so that one right hash does not carry a wrong one along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.sources.protocols.mirror_documents import MirrorArchive
from lockwarden.core.values.hashes import H1, PREFERRED_SCHEMES, Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_SHOWN: Final = 20
_NAMED: Final = 5


class GivenOut(Struct, frozen=True, kw_only=True):
    """The hashes of the bytes that the mirror gave out for one platform."""

    zh: Hash
    h1_archive: Hash | None
    """None when the bytes are no archive whose content can be hashed."""
    h1_directory: Hash | None
    unhashable: str = ""
    """Why there is no `h1`, as the end of a sentence."""

    @property
    def matching(self) -> frozenset[Hash]:
        """What a listed hash has to be to match; the clients compare an `h1` with the archive's only."""
        return frozenset({self.zh} if self.h1_archive is None else {self.zh, self.h1_archive})


class Promise(Struct, frozen=True, kw_only=True):
    """The hashes that a client holds a mirror's package against, and what of the list it stumbles over."""

    hashes: tuple[Hash, ...]
    malformed: tuple[str, ...]

    @classmethod
    def of(cls, target: MirrorArchive, archives: Iterable[MirrorArchive], *, trust_all: bool) -> Promise:
        """Those listed for the target platform, or, at a mirror that is trusted, for all platforms together."""
        asked = tuple(archives) if trust_all else (target,)
        return cls(
            hashes=tuple(dict.fromkeys(hash_ for archive in asked for hash_ in archive.hashes)),
            malformed=tuple(text for archive in asked for text in archive.malformed),
        )

    def kept(self, given: GivenOut) -> frozenset[Hash]:
        """The promised hashes that the package has."""
        return given.matching.intersection(self.hashes)

    def refusal(self, given: GivenOut) -> str:
        """Why a client's own check of the package fails; empty when it passes, or when nothing was promised."""
        if self.malformed:
            return f"the mirror lists “{_short(self.malformed[0])}”, which is not a hash"
        if not self.hashes:
            return ""
        known = [hash_ for hash_ in self.hashes if hash_.scheme in PREFERRED_SCHEMES]
        if not known:
            return "the client supports none of the checksum formats that the mirror gives"
        if given.h1_archive is None and any(hash_.scheme == H1 for hash_ in known):
            return f"the package cannot be held against the listed h1: {given.unhashable}"
        if self.kept(given):
            return ""
        if len(known) == 1:
            return f"the package does not match the listed hash {known[0]}"
        return "the package matches none of the listed hashes"


def wrong_for(hash_: Hash, given: GivenOut) -> str:
    """Why a listed hash is known not to be one of the package; empty while it matches or cannot be judged."""
    if hash_ in given.matching or hash_ == given.h1_directory:
        return ""
    if hash_.flaw:
        return hash_.flaw
    if hash_.scheme == H1 and given.h1_archive is None:
        return ""
    return "the package that the mirror gives out has another one"


def list_problems(archives: Sequence[MirrorArchive], source: str) -> Iterator[Problem]:
    """What is wrong with the lists as such, before any package was looked at; each kind once."""
    malformed = [(archive, text) for archive in archives for text in archive.malformed[:1]]
    if malformed:
        told = _some([f"“{_short(text)}” for {_short(archive.key)}" for archive, text in malformed])
        yield Problem(
            code=ProblemCode.MIRROR_HASH_MALFORMED,
            severity=Severity.ERROR,
            message=f"{source} lists hashes without a scheme, which are none: {told}",
            hint="the clients refuse these packages; whoever runs the mirror has to write h1:… or zh:…",
            source=source,
        )
    nowhere = [f"“{_short(archive.key)}”" for archive in archives if archive.platform is None]
    if nowhere:
        yield Problem(
            code=ProblemCode.MIRROR_PLATFORM_MALFORMED,
            severity=Severity.NOTE,
            message=f"{source} lists archives for names that are no platforms: {_some(nowhere)}",
            hint="no client ever asks for them",
            source=source,
        )
    unknown = [
        _short(each.key)
        for each in archives
        if each.hashes and not any(hash_.scheme in PREFERRED_SCHEMES for hash_ in each.hashes)
    ]
    if unknown:
        yield Problem(
            code=ProblemCode.MIRROR_HASHES_UNSUPPORTED,
            severity=Severity.WARNING,
            message=f"{source} lists only hashes that no client can check for the packages of {_some(unknown)}",
            hint="the clients refuse these packages; whoever runs the mirror has to write h1:… or zh:…",
            source=source,
        )
    bare = [_short(each.key) for each in archives if each.platform and not each.hashes and not each.malformed]
    if bare:
        yield Problem(
            code=ProblemCode.MIRROR_OFFERS_NO_HASH,
            severity=Severity.WARNING,
            message=f"{source} offers no hash for the packages of {_some(bare)}",
            hint="the clients install whatever it gives out, unauthenticated; compare with the origin registry",
            source=source,
        )


def _some(texts: Sequence[str]) -> str:
    more = f", and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return f"{', '.join(texts[:_NAMED])}{more}"


def match_problems(archive: MirrorArchive, given: GivenOut, source: str) -> Iterator[Problem]:
    """Every hash listed for this package that the package does not have, or that could not be compared."""
    told = [problem for hash_ in archive.hashes if (problem := _match_problem(hash_, archive, given, source))]
    yield from told[:_SHOWN]
    if len(told) > _SHOWN:
        yield Problem(
            code=ProblemCode.MIRROR_HASH_MISMATCH,
            severity=Severity.ERROR,
            message=f"{len(told) - _SHOWN} more hashes that {source} lists for {_short(archive.key)} do not match",
            source=source,
        )


def _match_problem(hash_: Hash, archive: MirrorArchive, given: GivenOut, source: str) -> Problem | None:
    said = f"{source} lists {_short(hash_.text)} for {_short(archive.key)}"
    if hash_.scheme not in PREFERRED_SCHEMES:
        return Problem(
            code=ProblemCode.MIRROR_HASH_SCHEME,
            severity=Severity.NOTE,
            message=f"{said}: {hash_.flaw}",
            source=source,
        )
    if wrong := wrong_for(hash_, given):
        return Problem(
            code=ProblemCode.MIRROR_HASH_MISMATCH,
            severity=Severity.ERROR,
            message=f"{said}, which does not match what it gives out: {wrong}",
            hint="do not approve this hash; ask who runs the mirror where it comes from",
            source=source,
        )
    if hash_ == given.h1_directory and hash_ != given.h1_archive:
        return Problem(
            code=ProblemCode.MIRROR_HASH_OF_FOLDER,
            severity=Severity.WARNING,
            message=f"{said}: the h1 of the unpacked folder, while the clients compare the archive's",
            hint="whoever runs the mirror should list the h1 of the archive",
            source=source,
        )
    if hash_ not in given.matching:
        return Problem(
            code=ProblemCode.MIRROR_HASH_UNCHECKED,
            severity=Severity.WARNING,
            message=f"{said}, which could not be compared: {given.unhashable}",
            source=source,
        )
    return None


def wrongly_listed(archive: MirrorArchive, given: GivenOut) -> dict[Hash, str]:
    """The hashes listed for a package that it is known not to have, each with the reason."""
    return {hash_: wrong for hash_ in archive.hashes if (wrong := wrong_for(hash_, given))}


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:120]}…"
