"""Why a verdict stands as it does, and what is known of a provider: short, in sentences, for the why-pane."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from textual.content import Content

from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.policy.model import Policy
from lockwarden.core.reports.configuration_lines import configuration_line
from lockwarden.core.reports.result import UsedConfiguration
from lockwarden.core.reports.standards_lines import standards_line
from lockwarden.core.review.chains import chains_to, steps_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Tone, fingerprint_groups
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.trusted_keys import key_trust, trust_in_words
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.tui.render.prose import QUIET, advice, evidence, hanging, sentence
from lockwarden.tui.render.styles import KEYS, REMOVED, SEVERITIES, TONES, WAITING, Look, of_answer
from lockwarden.tui.render.text import lines, plain, spaced
from lockwarden.tui.state.progress import ProviderProgress


def provider_name(address: ProviderAddress) -> str:
    """The address for people, with the host's other form where it has one, so that look-alike letters show."""
    both = f" ({address.hostname.ascii})" if address.hostname.international else ""
    return f"{address.short}{both}"


def place_of(row: HashRow) -> str:
    """Where a hash stands in the lock file, and how it came or went."""
    place = "not in the lock file" if row.line is None else f"line {row.line}"
    return place if row.moved is None else f"{place}, {row.moved} in this change"


class Remark(Struct, frozen=True, kw_only=True):
    """Something about the lock file as a whole."""

    look: Look
    text: str
    hint: str = ""

    @classmethod
    def of(cls, told: Problem | Diagnostic) -> Remark:
        """What is known of the file, its policy, its approvals or its base."""
        text, hint = (told.message, told.hint) if isinstance(told, Problem) else (str(told), "")
        return cls(look=SEVERITIES[told.severity], text=text, hint=hint)


def about_the_file(review: Review) -> tuple[Remark, ...]:
    """Everything that no provider is to blame for: what changed around the lock file, what is gone from it, what is odd
    about it although the clients read it."""
    gone = (
        Remark(look=REMOVED, text=f"{provider_name(entry.address)} {entry.version} is not locked any more")
        for entry in review.removed
    )
    held = Remark(look=SEVERITIES[Severity.NOTE], text=f"held against: {standards_line(review.standards)}")
    return (*_remarks([*review.problems, *review.lock_file.warnings]), *gone, held)


def about_the_configuration(used: UsedConfiguration | None, notes: Iterable[str]) -> tuple[Remark, ...]:
    """The CLI configuration that says who is asked, and what of it does not count."""
    look = SEVERITIES[Severity.NOTE]
    by = () if used is None else (Remark(look=look, text=configuration_line(used)),)
    return (*by, *(Remark(look=look, text=note) for note in notes))


def above_all(review: Review) -> tuple[Remark, ...]:
    """What of it has to be seen whatever provider is selected, the loudest first."""
    odd = (each for each in review.lock_file.warnings if each.severity is not Severity.NOTE)
    return _remarks([*review.problems, *odd])


def _remarks(told: Iterable[Problem | Diagnostic]) -> tuple[Remark, ...]:
    order = list(Severity)
    return tuple(Remark.of(each) for each in sorted(told, key=lambda each: order.index(each.severity)))


def why_hash(provider: ProviderReview, row: HashRow, width: int) -> Content:
    """The verdict's reasons, the deciding ones first, each with its evidence on a line; then how it was reached."""
    return lines(*_why_hash(provider, row, width))


def _why_hash(provider: ProviderReview, row: HashRow, width: int) -> Iterator[Content]:
    title = spaced(plain(row.hash.text, "bold"), Content.styled(place_of(row), QUIET))
    yield from hanging(Content(""), title, width)
    yield from reasons(row, width, whole=False)
    if provider.audit is not None:
        yield from chains(provider.audit, row, width)


def chains(audit: Audit, row: HashRow, width: int) -> Iterator[Content]:
    """The way to the package in each OCI registry: one sentence, a step on a line."""
    for answer, chain in chains_to(audit, row.hash):
        yield from sentence(
            TONES[Tone.NOTE], f"{answer.source.id} leads to the {chain.platform} package in these steps", width
        )
        steps = tuple(f"{name} {value}" for name, value in steps_of(answer, chain))
        yield from evidence(steps, width, whole=False)


def reasons(row: HashRow, width: int, *, whole: bool) -> Iterator[Content]:
    """Every reason of the row behind the glyph of its tone."""
    for reason in row.reasons:
        yield from sentence(TONES[reason.tone], reason.text, width)
        yield from evidence(reason.evidence, width, whole=whole)


def why_provider(
    provider: ProviderReview,
    progress: ProviderProgress,
    about_file: tuple[Remark, ...],
    width: int,
    *,
    standards: Standards = NO_STANDARDS,
) -> Content:
    """What is known of a provider beyond its hashes: problems, keys, sources, and remarks about the lock file."""
    return lines(*_why_provider(provider, progress, about_file, width, standards))


def _why_provider(
    provider: ProviderReview,
    progress: ProviderProgress,
    about_file: tuple[Remark, ...],
    width: int,
    standards: Standards,
) -> Iterator[Content]:
    yield from hanging(Content(""), entry_line(provider), width)
    yield from problems(provider, width)
    if provider.audit is None:
        yield from sentence(WAITING, progress.summary or "waiting", width)
    else:
        yield from sources(provider, width)
        yield from keys(provider.audit, width, standards.policy)
    yield from remarks(about_file, width)


def entry_line(provider: ProviderReview) -> Content:
    """The entry of the lock file in one line."""
    entry = provider.entry
    return spaced(
        plain(f"{provider_name(entry.address)} {entry.version}", "bold"),
        plain(f"constraints {entry.constraints}" if entry.constraints else "", QUIET),
        Content.styled(f"line {entry.line}", QUIET),
    )


def problems(provider: ProviderReview, width: int) -> Iterator[Content]:
    """Every problem of the provider with what to do about it."""
    for problem in provider.problems:
        yield from sentence(SEVERITIES[problem.severity], problem.message, width)
        yield from advice(problem.hint, width, prefix="  ")


def sources(provider: ProviderReview, width: int) -> Iterator[Content]:
    """What each source said, in a line."""
    for answer in () if provider.audit is None else provider.audit.source_answers:
        look, word = of_answer(provider, answer)
        told = ": ".join(part for part in (answer.source.id, word or "answered", answer.detail) if part)
        yield from sentence(look, told, width)


def keys(audit: Audit, width: int, policy: Policy) -> Iterator[Content]:
    """Every key that a source offered, with what it signed and what the policy says of it."""
    for key, told in keys_offered(audit):
        body = spaced(
            plain(fingerprint_groups(key.fingerprint)),
            plain(", ".join(key.user_ids[:1]) or "no user ID"),
            plain(told, QUIET),
            plain(trust_in_words(key_trust(policy, audit.address, key.fingerprint))),
        )
        yield from hanging(Content.assemble((KEYS[key.state].glyph, KEYS[key.state].style), " "), body, width)


def keys_offered(audit: Audit) -> Iterator[tuple[KeySeen, str]]:
    """Every offered key once, and what the signatures say about it."""
    said: dict[str, list[str]] = {}
    for answer in audit.source_answers:
        for signature in answer.signatures:
            for judgement in signature.judgements:
                if judgement.fingerprint:
                    told = f"{signature.document.name}: {judgement.state}"
                    said.setdefault(judgement.fingerprint, []).append(told)
    seen = {key.fingerprint: key for answer in audit.source_answers for key in answer.keys}
    for fingerprint, key in seen.items():
        signed = dict.fromkeys(said.get(fingerprint, ["offered, signed nothing here"]))
        yield key, ", ".join([f"{key.state} key", *signed])


def remarks(about_file: Iterable[Remark], width: int) -> Iterator[Content]:
    """What no provider is to blame for, with what to do about it."""
    for each in about_file:
        yield from sentence(each.look, each.text, width)
        yield from advice(each.hint, width, prefix="  ")
