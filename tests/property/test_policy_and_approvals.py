"""Laws of the policy and the approvals: what is written is read again, and bytes of any kind are at worst refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, TypeVar

from builders.reviews import entry_text, lock_file
from builders.strategies import audits
from builders.thorough import with_fewer_examples
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.approvals.model import APPROVALS_FILE, NO_APPROVALS, Approval
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.approvals.record import with_approval
from lockwarden.core.evidence.observations import SignedBy
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.hcl.grammar import read_hcl
from lockwarden.core.hcl.syntax import HclList, Literal
from lockwarden.core.hcl.writing import block_text, quoted
from lockwarden.core.policy.edit import with_mirror, with_signing_key
from lockwarden.core.policy.model import POLICY_FILE_NAME, Policy
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.policy_proposal import proposal
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import ApprovalsError, OwnFileError, PolicyError
from lockwarden.core.values.fingerprints import read_fingerprint
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.versions import Version

T = TypeVar("T")
E = TypeVar("E", bound=OwnFileError)
DAY: Final = date(2026, 11, 28)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
names = texts.filter(lambda text: text.strip())
fingerprints = st.text("0123456789ABCDEF", min_size=40, max_size=40) | st.text(
    "0123456789ABCDEF", min_size=64, max_size=64
)
labels = st.from_regex(r"[a-z]([a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)
hosts = st.builds(lambda first, second: f"{first}.{second}.test", labels, labels)
patterns = st.one_of(
    st.just("*/*/*"),
    st.builds(lambda host: f"{host}/*/*", hosts),
    st.builds(lambda host, name: f"{host}/{name}/*", hosts, labels),
    st.builds(lambda host, name, type_: f"{host}/{name}/{type_}", hosts, labels, labels),
    st.builds(lambda name: f"{name}/*", labels),
).map(ProviderPattern.parse)
several_patterns = st.lists(patterns, min_size=1, max_size=6, unique=True).map(tuple)
locations = st.one_of(
    st.builds(lambda host, path: f"https://{host}/{path}/", hosts, labels),
    st.builds(lambda host, path: f"oci://{host}/{path}/{{namespace}}/{{type}}", hosts, labels),
    st.builds(lambda path: f"/srv/{path}", labels),
)
hashes = st.binary(min_size=32, max_size=32).map(lambda digest: Hash(f"zh:{digest.hex()}"))
comments = st.lists(st.sampled_from(["# a", "/* b\n*/", "", "// ü", "   "]), max_size=5)
line_ends = st.sampled_from(["\n", "\r\n"])

# Words of both files, so that what is drawn from them is often nearly right.
_WORDS = [
    "signing_key",
    "mirror",
    "require",
    "approval",
    "providers",
    "trusted",
    "signed",
    "by",
    "at",
    "until",
    "hashes",
]
_MARKS = ["{", "}", "[", "]", "=", ",", "\n", " ", '"', "#", "/*", "*/", "<<X\n", "X\n", "${", "\\", "true", "0x1", "é"]
_TEXTS = ['"*/*/*"', '"' + "AB" * 20 + '"', '"/srv/m"', '"../x"', '"2026-11-28T05:00:00Z"', '"h1:x"', '"a/b"', "\0"]
pieces = st.lists(st.sampled_from(_WORDS + _MARKS + _TEXTS), max_size=60).map(lambda found: " ".join(found).encode())
anything = st.binary(max_size=300) | pieces | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))


def read(data: bytes) -> Policy:
    return read_policy(data, path=POLICY_FILE_NAME, folder=Path("/srv/repository"))


def read_or_refused(reading: Callable[[], T], error: type[E]) -> T | E:
    try:
        return reading()
    except error as refusal:
        return refusal


@given(names)
def test_a_quoted_text_is_read_as_that_text(text: str) -> None:
    (item,) = read_hcl(f"a = {quoted(text)}\n")
    assert isinstance(item.value, Literal)
    assert item.value.value == text
    assert "\n" not in quoted(text)


@given(names)
def test_no_quoted_text_is_a_template_in_the_newer_language(text: str) -> None:
    assert not re.search(r"[$%]\{", quoted(text))


@given(names, st.lists(names, min_size=1, max_size=5))
def test_a_written_block_is_read_as_that_block(label: str, elements: list[str]) -> None:
    (item,) = read_hcl(block_text("a", label, [("first", label), ("list", elements), ("last", True)]))
    assert item.keys == ("a", label)
    first, several, _ = (each.value for each in item.value.items)  # type: ignore[union-attr]
    assert isinstance(first, Literal)
    assert first.value == label
    assert isinstance(several, HclList)
    assert [each.value for each in several.elements if isinstance(each, Literal)] == elements


@given(fingerprints)
def test_a_fingerprint_in_groups_of_four_is_that_fingerprint(digits: str) -> None:
    groups = " ".join(re.findall("....", digits))
    assert read_fingerprint(groups) == read_fingerprint(digits.lower()) == digits


@with_fewer_examples
@given(
    comments, line_ends, st.booleans(), fingerprints, names | st.just(""), several_patterns, locations, st.booleans()
)
def test_rules_are_appended_to_whatever_is_there(
    before: list[str],
    line_end: str,
    ended: bool,
    fingerprint: str,
    owner: str,
    providers: tuple[ProviderPattern, ...],
    location: str,
    trusted: bool,
) -> None:
    old = (line_end.join(before) + (line_end if ended else "")).encode()
    first = with_signing_key(read(old), fingerprint, owner, providers)
    second = with_mirror(read(first), location, trusted, providers)
    assert first.startswith(old)
    assert second.startswith(first)
    policy = read(second)
    (key,), (mirror,) = policy.keys, policy.mirrors
    assert (key.fingerprint, key.owner, key.providers) == (fingerprint, owner, providers)
    assert (mirror.location, mirror.trusted, mirror.providers) == (location, trusted, providers)


@with_fewer_examples
@given(
    hosts,
    labels,
    st.integers(0, 99),
    st.frozensets(hashes, min_size=1, max_size=5),
    st.lists(fingerprints, max_size=3).map(tuple),
    st.tuples(names, names, names),
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)),  # noqa: DTZ001 - the bounds are naive
    st.booleans(),
)
def test_a_record_is_read_as_it_was_written(
    host: str,
    name: str,
    patch: int,
    accepted: frozenset[Hash],
    signers: tuple[str, ...],
    words: tuple[str, str, str],
    at: datetime,
    ends: bool,
) -> None:
    approval = Approval(
        path=APPROVALS_FILE,
        line=1,
        address=ProviderAddress.parse(f"{host}/{name}/x"),
        version=Version(1, 2, patch),
        hashes=accepted,
        verdict=words[0],
        signers=signers,
        by=words[1],
        at=at.replace(microsecond=0),
        reason=words[2],
        until=at.date() if ends else None,
    )
    data = with_approval(NO_APPROVALS, approval)
    once = read_approvals(data, path=APPROVALS_FILE)
    assert [replace(each, line=1) for each in once.records] == [approval]
    again = with_approval(once, approval)
    assert again.startswith(data)
    assert len(read_approvals(again, path=APPROVALS_FILE).records) == 2


@with_fewer_examples
@given(anything)
def test_no_bytes_make_reading_a_policy_end_otherwise_than_with_a_policy_or_its_error(data: bytes) -> None:
    found = read_or_refused(lambda: read(data), PolicyError)
    if isinstance(found, Policy):
        assert found.data == data
        assert all(each.providers for each in found.keys)
        assert all(each.providers for each in found.mirrors)
        assert all(each.providers for each in found.requirements)
    else:
        lines = data.count(b"\n") + 1
        assert found.diagnostics
        assert all(0 <= each.line <= lines and each.message for each in found.diagnostics)


@with_fewer_examples
@given(anything)
def test_no_bytes_make_reading_approvals_end_otherwise_than_with_approvals_or_their_error(data: bytes) -> None:
    found = read_or_refused(lambda: read_approvals(data, path=APPROVALS_FILE), ApprovalsError)
    if isinstance(found, ApprovalsError):
        assert found.diagnostics
    else:
        assert all(each.hashes for each in found.records)


@with_fewer_examples
@given(audits(), st.lists(hashes, max_size=3))
def test_every_proposal_is_a_policy_that_names_only_keys_whose_signature_counts(
    audit: Audit, locked: list[Hash]
) -> None:
    file = lock_file(entry_text(*sorted({*locked, *list(audit.observations)[:2]}), address=str(audit.address)))
    policy = read(proposal([audit], [file], seen=DAY))
    signers = {
        each.fingerprint
        for kept in audit.observations.values()
        for each in kept
        if isinstance(each, SignedBy) and each.vouches
    }
    assert {key.fingerprint for key in policy.keys} <= signers
    assert not policy.mirrors
    assert read(with_signing_key(policy, "F" * 40, "", (ProviderPattern.parse("*/*/*"),))).keys[:-1] == policy.keys
