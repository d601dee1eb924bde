"""What a policy means for one audit: whose word counts and whose does not, by which rule.

The audit that comes out is the one that went in with two kinds of marks. What a pinned key does not stand behind is
refused, with the rule. What a trusted mirror lists is reported by it, once one of its packages kept its promise.
Nothing is added that no source said, and the audit itself stays as it is for all who want to see what was observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListedByMirror, Observation, ReportedByTrustedMirror, SignedBy
from lockwarden.core.evidence.source_answers import Audit, Problem, SourceAnswer
from lockwarden.core.policy.model import Policy, Rule, TrustedKey
from lockwarden.core.policy.pins import Pins, documents_read, pinned, signers_by_document
from lockwarden.core.policy.signature_problems import signature_problems
from lockwarden.core.policy.signed_otherwise import OtherRules, under_rules
from lockwarden.core.values.mirror_locations import comparable_location
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


class AppliedPolicy(Struct, frozen=True, kw_only=True):
    """One audit as the policy has it."""

    before_policy: Audit
    """What the sources said, whatever the policy makes of it."""
    audit: Audit
    """The same with what the policy refuses and what it trusts."""
    trusted_mirrors: Mapping[str, Rule] = msgspec.field(default_factory=lambda: MappingProxyType({}))
    """Ids of the sources that vouch for the provider in the origin's place, with the rule that says so."""
    unasked_mirrors: tuple[str, ...] = ()
    """Mirrors that would vouch and are not among the sources; sentences."""
    trusted_keys: Mapping[str, Rule] = msgspec.field(default_factory=lambda: MappingProxyType({}))
    """Pinned keys by fingerprint, with the rule."""
    problems: tuple[Problem, ...] = ()

    @property
    def alarmed(self) -> bool:
        """Whether a key signs that the policy does not name."""
        return any(each.code == ProblemCode.KEY_CHANGED for each in self.problems)


def apply_policy(policy: Policy, audit: Audit, now: datetime = NO_TIME) -> AppliedPolicy:
    """What one policy means for the audit; without a rule for its provider, nothing.

    `now` is the time at which the windows of keys are judged where a signature proves none.
    """
    given, (audit, told) = audit, _under_other_rules(policy, audit, now)
    keys = policy.keys_for(audit.address)
    if not keys and not policy.mirrors_for(audit.address):
        return AppliedPolicy(before_policy=given, audit=audit, problems=told)
    pins = Pins.of(audit, keys)
    trusted, distrusted, unasked = _mirrors(policy, audit)
    source_answers = []
    problems: list[Problem] = []
    for answer in audit.source_answers:
        if answer.source.id in trusted:
            source_answers.append(_vouching(answer))
            continue
        judged = _distrusted(answer) if answer.source.id in distrusted else answer
        if keys:
            judged = pinned(judged, pins)
            problems += _alarms(answer, keys, pins)
        source_answers.append(judged)
    return AppliedPolicy(
        before_policy=given,
        audit=replace(audit, source_answers=tuple(source_answers)),
        trusted_mirrors=MappingProxyType(trusted),
        unasked_mirrors=unasked,
        trusted_keys=MappingProxyType({each.fingerprint: each.rule for each in reversed(keys)}),
        problems=(*problems, *told),
    )


def _under_other_rules(policy: Policy, audit: Audit, now: datetime) -> tuple[Audit, tuple[Problem, ...]]:
    """The audit with the signatures beside GPG's judged, and what of them has to be known."""
    rules = OtherRules.of(policy, audit, now)
    source_answers = tuple(under_rules(answer, rules) for answer in audit.source_answers)
    changed = any(one is not other for one, other in zip(source_answers, audit.source_answers, strict=True))
    judged = replace(audit, source_answers=source_answers) if changed else audit
    return judged, tuple(signature_problems(judged, ruled=rules.names_somebody))


def _mirrors(policy: Policy, audit: Audit) -> tuple[dict[str, Rule], frozenset[str], tuple[str, ...]]:
    """The trusted mirrors among the sources, those whose trust is taken back, and trusted ones that were not asked.

    The first rule for a mirror counts.
    """
    rules: dict[str, tuple[bool, Rule]] = {}
    for each in policy.mirrors_for(audit.address):
        rules.setdefault(comparable_location(each.location), (each.trusted, each.rule))
    mirrors = [answer.source for answer in audit.source_answers if not answer.source.is_origin]
    # Two sources may lead to one place.
    places = {each.id: comparable_location(each.location) for each in mirrors}
    ruled = {id_: rules[place] for id_, place in places.items() if place in rules}
    trusted = {id_: rule for id_, (good, rule) in ruled.items() if good}
    distrusted = frozenset(id_ for id_, (good, _) in ruled.items() if not good)
    unasked = tuple(
        f"{place}, which {rule} trusts, is not among the sources"
        for place, (good, rule) in rules.items()
        if good and place not in places.values()
    )
    return trusted, distrusted, unasked


def _vouching(answer: SourceAnswer) -> SourceAnswer:
    """A trusted mirror's list counts once a package of it was what it promised, as with the clients."""
    kept = any(package.promised and not package.client_refusal for package in answer.packages)

    def vouch(observation: Observation) -> Observation:
        if not kept or not isinstance(observation, ListedByMirror):
            return observation
        return ReportedByTrustedMirror(
            source=observation.source,
            document=observation.document,
            platform=observation.platform,
            refused=observation.refused,
        )

    return replace(answer, observations=tuple((hash_, vouch(seen)) for hash_, seen in answer.observations))


def _distrusted(answer: SourceAnswer) -> SourceAnswer:
    def bare(observation: Observation) -> Observation:
        if not isinstance(observation, ReportedByTrustedMirror):
            return observation
        return ListedByMirror(
            source=observation.source,
            document=observation.document,
            platform=observation.platform,
            refused=observation.refused,
        )

    return replace(answer, observations=tuple((hash_, bare(seen)) for hash_, seen in answer.observations))


def _alarms(answer: SourceAnswer, keys: tuple[TrustedKey, ...], pins: Pins) -> Iterator[Problem]:
    """The key-change alarm: documents of the source are signed, and one of them by none of the pinned keys.

    Without any signature that counts there is none to be alarmed about, and what the keys were pinned for is missing.
    """
    if not answer.source.is_origin:
        return
    by_document = signers_by_document(answer)
    unpinned = {each for signers in by_document.values() if not signers & pins.fingerprints for each in signers}
    names = " or ".join(_named(each) for each in keys)
    if unpinned:
        shown = ", ".join(sorted(unpinned))
        yield Problem(
            code=ProblemCode.KEY_CHANGED,
            severity=Severity.ERROR,
            message=f"the signing key has changed: the signature is by {shown}, and {pins.rules} names {names}",
            hint="ask the provider's maintainers whether they changed their key, by another way than the registry;"
            " approve nothing before they answer",
            source=answer.source.id,
        )
    elif not by_document and documents_read(answer):
        yield _missing(answer, pins, names)


def _missing(answer: SourceAnswer, pins: Pins, names: str) -> Problem:
    """No signature counts. One of a pinned key may be there all the same: revoked, bad, or over another release."""
    worthless = next(
        (
            each
            for _, each in answer.observations
            if isinstance(each, SignedBy) and each.fingerprint in pins.fingerprints
        ),
        None,
    )
    if worthless is None:
        message = f"nothing here is signed by the key that {pins.rules} names: {names}"
        hint = "a registry that drops its keys makes the clients skip the signature; ask the provider's maintainers"
    else:
        why = worthless.refused or worthless.state
        message = f"the signature by {worthless.fingerprint}, which {pins.rules} names, does not count: {why}"
        hint = "ask the provider's maintainers for a release with a good signature of their current key"
    return Problem(
        code=ProblemCode.PINNED_KEY_MISSING,
        severity=Severity.ERROR,
        message=message,
        hint=hint,
        source=answer.source.id,
    )


def _named(key: TrustedKey) -> str:
    return f"{key.fingerprint} ({key.owner})" if key.owner else key.fingerprint
