"""Everything that is known of one hash or one provider, whole: for the full-screen detail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, assert_never

from textual.content import Content

from lockwarden.core.evidence.observations import (
    ComputedLocally,
    Document,
    ListedByMirror,
    Observation,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.evidence.source_answers import Audit, OciChain, Outcome, PackageFacts, SourceAnswer
from lockwarden.core.policy.model import Policy
from lockwarden.core.reports.rerelease_lines import rerelease_lines
from lockwarden.core.review.chains import chains_to, steps_of, token_words
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rereleases import Rerelease
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import fingerprint_groups
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.trusted_keys import key_trust, trust_in_words
from lockwarden.core.values.amounts import counted, in_bytes
from lockwarden.core.values.platforms import by_popularity
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.links import linked
from lockwarden.tui.render.prose import hanging, heading, labelled, sentence
from lockwarden.tui.render.reasons import (
    Remark,
    entry_line,
    keys_offered,
    place_of,
    problems,
    reasons,
    remarks,
    sources,
)
from lockwarden.tui.render.styles import OUTCOMES, SEVERITIES, TONES, WAITING, of_row
from lockwarden.tui.render.text import lines, plain, spaced
from lockwarden.tui.state.progress import ProviderProgress

_MARKS: Final = (*TONES.values(), *SEVERITIES.values())


def hash_detail(
    provider: ProviderReview,
    row: HashRow,
    decision: Decision,
    width: int,
    *,
    standards: Standards = NO_STANDARDS,
    kept: Sequence[Rerelease] = (),
) -> Content:
    """All about one hash, with what earlier runs `kept` of its package; then what is known of its provider."""
    return lines(*_hash_detail(provider, row, decision, width, standards, kept))


def _hash_detail(
    provider: ProviderReview,
    row: HashRow,
    decision: Decision,
    width: int,
    standards: Standards,
    kept: Sequence[Rerelease],
) -> Iterator[Content]:
    look, word = of_row(row, waiting=provider.waiting)
    word = word if provider.waiting or word == row.verdict else f"{row.verdict}, {word} on record"
    yield from labelled("hash", plain(row.hash.text, "bold"), width)
    yield from labelled("verdict", plain(f"{look.glyph} {word}", look.style), width)
    yield from labelled("decision", str(decision), width)
    yield from labelled("lock file", place_of(row), width)
    yield from labelled("platforms", row.label or "not known yet", width)
    yield from heading("Why", width)
    yield from reasons(row, width, whole=True)
    yield from _kept(kept, width)
    yield from _disposition(row, width)
    for number, observation in enumerate(row.observations, 1):
        yield from heading(f"Observation {number} of {len(row.observations)}: {observation.kind}", width)
        yield from _observation(observation, width)
    if provider.audit is not None:
        yield from _packages(provider.audit, row, width)
        for answer, chain in chains_to(provider.audit, row.hash):
            yield from _chain(answer, chain, width)
    yield from _provider(provider, width, standards)


def _kept(found: Sequence[Rerelease], width: int) -> Iterator[Content]:
    title, *told = rerelease_lines(found) if found else ("",)
    if title:
        yield from heading("What earlier runs kept of its package", width)
    for line in told:
        text = line.strip()
        style = next((look.style for look in _MARKS if text.startswith(f"{look.glyph} ")), "")
        yield from hanging(Content(" " * max(0, len(line) - len(text) - 4)), plain(text, style), width)


def _disposition(row: HashRow, width: int) -> Iterator[Content]:
    known = row.disposition
    signers = [fingerprint_groups(each) for each in sorted(known.signed_by_fingerprints)]
    signers += [f"{each.name} ({each.scheme})" for each in sorted(known.signed_otherwise_by)]
    yield from heading("Disposition", width)
    yield from labelled("signed by", ", ".join(signers) or "nobody that counts", width)
    yield from labelled("registry reports", _yes(known.reported_by_registry), width)
    yield from labelled("trusted mirror", _yes(known.reported_by_trusted_mirror), width)
    yield from labelled("verified locally", _yes(known.verified_locally), width)


def _yes(claim: bool) -> str:
    return "yes" if claim else "no"


def _observation(observation: Observation, width: int) -> Iterator[Content]:
    yield from labelled("source", observation.source, width)
    if observation.platform is not None:
        yield from labelled("platform", str(observation.platform), width)
    match observation:
        case SignedBy():
            yield from _signed(observation, width)
        case ReportedByRegistry():
            yield from labelled("listed in", str(observation.shape), width)
            yield from _document(observation.document, observation.line, observation.file_name, width)
        case ReportedByTrustedMirror() | ListedByMirror():
            yield from _document(observation.document, None, "", width)
        case ComputedLocally():
            where = spaced(plain(str(observation.basis)), linked(observation.location), gap=1)
            yield from labelled("computed from", where, width)
            if observation.package_zh is not None:
                yield from labelled("archive", observation.package_zh.text, width)
        case OtherSignature():
            yield from _other_signature(observation.signature, width)
        case _:
            assert_never(observation)
    if observation.refused:
        yield from labelled("does not count", observation.refused, width)


def _signed(observation: SignedBy, width: int) -> Iterator[Content]:
    yield from labelled("key", fingerprint_groups(observation.fingerprint), width)
    if observation.signing_fingerprint not in {"", observation.fingerprint}:
        yield from labelled("signing subkey", fingerprint_groups(observation.signing_fingerprint), width)
    yield from labelled("signature", f"{observation.scheme}: {observation.state}", width)
    yield from labelled("signed on", _day(observation.signed_at), width)
    yield from labelled("valid then", _yes(observation.valid_when_signed), width)
    yield from _document(observation.document, observation.line, observation.file_name, width)


def _other_signature(seen: SeenSignature, width: int) -> Iterator[Content]:
    yield from labelled("signer", seen.signer.name or "not said", width)
    yield from labelled("signature", f"{seen.scheme}: {seen.state}", width)
    if seen.detail:
        yield from labelled("because", seen.detail, width)
    yield from labelled("named by", seen.rule or "no rule of the policy, so that it counts for nothing", width)
    yield from labelled("signed on", _day(seen.signed_at) if seen.signed_at else "no time is proven", width)
    yield from labelled("log", str(seen.log), width)
    yield from labelled("document", f"{seen.document.kind} {seen.document.digest}", width)
    yield from labelled("found at", seen.found_at, width)
    for name, value in seen.claims:
        yield from labelled("signer states", f"{name}: {value}", width)


def _document(document: Document, line: int | None, file_name: str, width: int) -> Iterator[Content]:
    place = document.name if line is None else f"{document.name} line {line}"
    yield from labelled("document", f"{place} {file_name}".rstrip(), width)
    yield from labelled("its sha256", document.sha256, width)
    yield from labelled("its address", linked(document.url), width)


def _day(when: datetime | None) -> str:
    return "not said" if when is None else f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _packages(audit: Audit, row: HashRow, width: int) -> Iterator[Content]:
    """The facts about every package that has this hash, or that is for one of its platforms."""
    for answer in audit.source_answers:
        for facts in sorted(answer.packages, key=lambda each: by_popularity(each.platform)):
            if facts.platform in row.platforms or row.hash in facts.hashes:
                yield from heading(f"Package at {answer.source.kind}", width)
                yield from _package(answer, facts, width)


def _package(answer: SourceAnswer, facts: PackageFacts, width: int) -> Iterator[Content]:
    look = OUTCOMES[facts.outcome]
    yield from labelled("source", answer.source.id, width)
    yield from labelled("platform", str(facts.platform), width)
    told = f"{look.glyph} {facts.outcome}{f': {on_screen(facts.detail)}' if facts.detail else ''}"
    yield from labelled("outcome", plain(told, look.style), width)
    for name, value in (
        ("location", facts.location),
        ("size", "" if facts.size is None else f"{in_bytes(facts.size)} ({facts.size:,} bytes)"),
        ("zh", "" if facts.zh is None else facts.zh.text),
        ("h1 of directory", "" if facts.h1_directory is None else facts.h1_directory.text),
        ("h1 of archive", "" if facts.h1_archive in {None, facts.h1_directory} else str(facts.h1_archive)),
        ("client refuses", facts.client_refusal),
    ):
        if value:
            yield from labelled(name, linked(value), width)


def _chain(answer: SourceAnswer, chain: OciChain, width: int) -> Iterator[Content]:
    """The way through an OCI registry, step by step."""
    yield from heading(f"Chain at {answer.source.kind}", width)
    yield from labelled("source", answer.source.id, width)
    if chain.platform is not None:
        yield from labelled("platform", str(chain.platform), width)
    for name, value in steps_of(answer, chain):
        yield from labelled(name, value, width)


def provider_detail(
    provider: ProviderReview,
    progress: ProviderProgress,
    about_file: tuple[Remark, ...],
    width: int,
    *,
    standards: Standards = NO_STANDARDS,
) -> Content:
    """All about one provider: its entry, its problems, its sources, its keys; and remarks about the lock file."""
    rows = [*hanging(Content(""), entry_line(provider), width), *_provider(provider, width, standards)]
    for answer in () if provider.audit is None else provider.audit.source_answers:
        if answer.token_hosts:
            rows += [*heading(f"Token for {answer.source.kind}", width)]
            rows += [
                *labelled("source", answer.source.id, width),
                *labelled("sent to", token_words(answer), width),
            ]
        for chain in answer.chains:
            rows += _chain(answer, chain, width)
    if provider.waiting:
        rows += sentence(WAITING, progress.summary, width)
    if about_file:
        rows += [*heading("About the lock file", width), *remarks(about_file, width)]
    return lines(*rows)


def _provider(provider: ProviderReview, width: int, standards: Standards) -> Iterator[Content]:
    yield from heading("Provider", width)
    yield from labelled("address", str(provider.address), width)
    if provider.address.hostname.international:
        yield from labelled("host in ASCII", provider.address.hostname.ascii, width)
    yield from labelled("version", str(provider.entry.version), width)
    yield from labelled("constraints", provider.entry.constraints or "none", width)
    yield from labelled("lock file", f"line {provider.entry.line}", width)
    for side in standards.sides:
        before = side.before(provider.address)
        was = "cannot be read" if side.unreadable else "not locked"
        if before is not None:
            was = f"{before.version}, {counted(len(before.hash_set), 'hash', 'hashes')}"
        yield from labelled("before", spaced(plain(was), plain(f"at {side.name}"), gap=1), width)
    if provider.audit is not None and any(each.outcome is Outcome.ANSWERED for each in provider.audit.source_answers):
        yield from labelled("a client would say", str(provider.audit.summary), width)
    yield from problems(provider, width)
    if provider.audit is None:
        return
    yield from heading("Sources", width)
    yield from sources(provider, width)
    for answer in provider.audit.source_answers:
        where = answer.source.location if answer.source.location != answer.source.id else ""
        yield from labelled(answer.source.kind, spaced(plain(answer.source.id), linked(where)), width)
    for key, told in keys_offered(provider.audit):
        yield from heading("Signing key", width)
        yield from _key(key, told, width)
        yield from _trust(key, provider, standards.policy, width)


def _trust(key: KeySeen, provider: ProviderReview, policy: Policy, width: int) -> Iterator[Content]:
    told = trust_in_words(key_trust(policy, provider.address, key.fingerprint))
    yield from labelled("trust", told or "no policy names keys for this provider", width)


def _key(key: KeySeen, told: str, width: int) -> Iterator[Content]:
    yield from labelled("fingerprint", fingerprint_groups(key.fingerprint), width)
    for user_id in key.user_ids or ("none",):
        yield from labelled("claims to be", user_id, width)
    yield from labelled("kind", key.algorithm, width)
    yield from labelled("created", _day(key.created), width)
    yield from labelled("expires", "never" if key.expires is None else _day(key.expires), width)
    yield from labelled("state", told, width)
    for subkey in key.signing_subkeys:
        yield from labelled("signing subkey", fingerprint_groups(subkey), width)
