"""What the source picker tells of the repositories in an OCI mirror's registry. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from textual.content import Content

from lockwarden.core.engine.configured_sources import repository_names
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.review.sentences import Tone
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import InputError, LockwardenError, NotThereError
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.oci_templates import repository_of
from lockwarden.tui.render.prose import QUIET, advice, sentence
from lockwarden.tui.render.styles import OUTCOMES, TONES, WAITING, Look
from lockwarden.tui.render.text import plain, shorten_start

_BY_NAME: Final = "the audit does not need a list: it asks for each provider's repository by its name"
_AGAIN: Final = "enter asks again"


class RepositoryList(Struct, frozen=True, kw_only=True):
    """What is known of the repositories that fit a template."""

    look: Look
    message: str
    hint: str = ""
    locked: tuple[str, ...] = ()
    """Paths of the repositories that are of locked providers."""
    others: tuple[str, ...] = ()
    final: bool = True
    """Whether asking again would change nothing that a person waits for."""


def locked_repositories(source: SourceSpec, addresses: Iterable[ProviderAddress]) -> frozenset[OciRepository]:
    """The repositories of these providers at an OCI mirror, as far as it serves them."""
    found: set[OciRepository] = set()
    for address in addresses:
        if source.method is None or source.method.selects(address):
            try:
                found.add(repository_of(repository_names(source.location, source.method), address))
            except InputError:
                continue  # the audit tells of a provider that can have no repository
    return frozenset(found)


def registry_in(location: str) -> str:
    """The registry that a template names, as far as it does."""
    return location.removeprefix("oci://").partition("/")[0]


def asking(registry: str) -> RepositoryList:
    """Nothing yet, since it is being asked for."""
    return RepositoryList(look=WAITING, message=f"asking {registry} for its repositories")


def listed_by(
    registry: str, repositories: Sequence[OciRepository], locked: Collection[OciRepository]
) -> RepositoryList:
    """What the registry listed, and of that what fits; perhaps nothing."""
    if not repositories:
        return RepositoryList(
            look=OUTCOMES[Outcome.NOT_THERE],
            message=f"{registry} lists no repository that fits the template",
            hint=f"registries may leave some out of their list; {_BY_NAME}",
        )
    said = f"{registry} lists {counted(len(repositories), 'repository that fits', 'repositories that fit')}"
    theirs = tuple(each.path for each in repositories if each in locked)
    return RepositoryList(
        look=OUTCOMES[Outcome.ANSWERED],
        message=f"{said}; locked providers among them: {len(theirs)} of {len(locked)}" if locked else said,
        locked=theirs,
        others=tuple(each.path for each in repositories if each not in locked),
    )


def not_found(error: LockwardenError) -> RepositoryList:
    """Why there is no list: that a registry does not offer one is a fact about it, anything else went wrong."""
    if isinstance(error, NotThereError):
        return RepositoryList(look=TONES[Tone.NOTE], message=error.message, hint=error.hint or _BY_NAME)
    hint = f"{error.hint}; {_AGAIN}" if error.hint else _AGAIN
    return RepositoryList(look=OUTCOMES[Outcome.NO_ANSWER], message=error.message, hint=hint, final=False)


def render_repositories(known: RepositoryList, width: int, *, most: int) -> Iterator[Content]:
    """It in lines of this width, with at most so many repositories, those of locked providers first."""
    yield from sentence(known.look, known.message, width)
    yield from advice(known.hint, width)
    names = [*((path, "") for path in known.locked), *((path, QUIET) for path in known.others)]
    # “And 1 more” would take the line of that one.
    shown = names if len(names) <= most else names[: most - 1]
    for path, style in shown:
        yield Content("    ") + plain(shorten_start(path, max(1, width - 4)), style)
    if left := len(names) - len(shown):
        yield Content("    ") + plain(f"and {left:,} more", QUIET)
