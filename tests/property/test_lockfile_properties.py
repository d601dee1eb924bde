"""What holds for every lock file: rendering and reading are inverse, and an edit leaves everything else as it is."""

from __future__ import annotations

import base64
from collections import Counter
from typing import Any

from builders.reading import edited, parse
from builders.thorough import with_fewer_examples
from hypothesis import assume, given
from hypothesis import strategies as st

from lockwarden.core.lockfile.edit import HashChange
from lockwarden.core.lockfile.model import LockedHash, LockedProvider, LockFile
from lockwarden.core.lockfile.render import canonical
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.constraints import Operator, Term, VersionConstraints
from lockwarden.core.values.errors import InvalidVersionError, LockFileError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import MAX_NUMBER, Version

labels = st.text("abcxyz019é", min_size=1, max_size=6)
addresses = st.builds(
    lambda host, namespace, kind: ProviderAddress.parse(f"{host}/{namespace}/{kind}"),
    st.sampled_from(["registry.opentofu.org", "registry.terraform.io", "a.test:8443", "bücher.test", "localhost"]),
    labels,
    labels,
)
numbers = st.one_of(st.integers(0, 12), st.integers(0, MAX_NUMBER))
extras = st.text("0129aAz.-", max_size=5)
versions = st.builds(Version, numbers, numbers, numbers, extras, extras)
constraints = st.lists(st.builds(Term, st.sampled_from(Operator), versions), max_size=3).map(
    lambda terms: str(VersionConstraints.parse(", ".join(map(str, terms))))
)
odd_hashes = st.builds(
    lambda scheme, value: Hash(f"{scheme}:{value}"),
    st.sampled_from(["h1", "zh", "h9", "sha256"]),
    st.text(st.sampled_from('abc/+="\\${}%é☃\u200b\n\t\x00 #'), max_size=8),
)
real_hashes = st.binary(min_size=32, max_size=32).flatmap(
    lambda digest: st.sampled_from([Hash(f"zh:{digest.hex()}"), Hash(f"h1:{base64.b64encode(digest).decode()}")])
)
hashes = st.one_of(real_hashes, odd_hashes)
entries = st.builds(
    lambda address, version, constraints, hashes: LockedProvider(
        address=address,
        version=version,
        constraints=constraints,
        hashes=tuple(LockedHash(hash=found, line=1) for found in hashes),
        line=1,
    ),
    addresses,
    versions,
    constraints,
    st.lists(hashes, max_size=5),
)
provider_lists = st.lists(entries, max_size=4, unique_by=lambda entry: entry.address)


def content(providers: Any) -> list[tuple[object, ...]]:
    return [
        (entry.address.sort_key, entry.version, entry.constraints, Counter(locked.hash for locked in entry.hashes))
        for entry in providers
    ]


@st.composite
def untidy_files(draw: st.DrawFn) -> bytes:
    """Lock files as people and merges leave them: any order, layout, comments and line ends."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    tops = ["", "\ufeff", f"# top{end}", f"/* a{end} b */{end}", f'module "m" {{ a = b }}{end}']
    pieces = [draw(st.sampled_from(tops))]
    for entry in draw(provider_lists):
        one_line = not entry.constraints and not entry.hashes and draw(st.booleans())
        if one_line:
            pieces.append(f'provider "{entry.address}" {{ version = "{entry.version}" }}{end}')
            continue
        lines = [f'version = "{entry.version}"']
        if entry.constraints:
            lines.append(f'constraints = "{entry.constraints}"')
        if entry.hashes:
            lines.append(f"hashes = {draw(lists_of(tuple(locked.hash.text for locked in entry.hashes), end))}")
        blanks = draw(st.sampled_from(["", "  ", "\t"]))
        comment = draw(st.sampled_from(["", " # c", " /* d */", f"{end}// e"]))
        body = "".join(f"{blanks}{line}{comment}{end}" for line in draw(st.permutations(lines)))
        pieces.append(f'provider "{entry.address}" {{{comment}{end}{body}}}{end}')
    return "".join(pieces).encode()


@st.composite
def lists_of(draw: st.DrawFn, values: tuple[str, ...], end: str) -> str:
    def quoted(value: str) -> str:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped.replace("${", "$${").replace("%{", "%%{")}"'

    gaps = st.sampled_from(["", " ", end, f"{end}    ", f" # x{end}  ", f"{end}  # own line{end}    ", " /* y */ "])
    text = "["
    for index, value in enumerate(values):
        last = index == len(values) - 1
        comma = "," if not last or draw(st.booleans()) else ""
        text += f"{draw(gaps)}{quoted(value)}{draw(gaps)}{comma}"
    return f"{text}{draw(gaps)}]"


def read_or_skip(data: bytes) -> LockFile:
    try:
        return parse(data, path="lock")
    except LockFileError:
        assume(False)
        raise


@st.composite
def changes_of(draw: st.DrawFn, lock_file: LockFile, *, add: bool, drop: bool) -> dict[ProviderAddress, HashChange]:
    changes = {}
    for entry in lock_file.providers:
        present = sorted(entry.hash_set)
        new = draw(st.frozensets(hashes, max_size=3)) if add else frozenset()
        old = draw(st.frozensets(st.sampled_from(present))) if drop and present else frozenset()
        changes[entry.address] = HashChange(add=new - old, drop=old)
    return changes


def is_subsequence(shorter: bytes, longer: bytes) -> bool:
    rest = iter(longer)
    return all(byte in rest for byte in shorter)


@with_fewer_examples
@given(provider_lists, st.sampled_from(Client))
def test_what_is_rendered_is_read_back(providers: list[LockedProvider], client: Client) -> None:
    lock_file = parse(canonical(providers, client=client), path="lock")
    expected = sorted(providers, key=lambda entry: entry.address.sort_key)
    assert lock_file.client is client
    assert [entry.address for entry in lock_file.providers] == [entry.address for entry in expected]
    assert [entry.version for entry in lock_file.providers] == [entry.version for entry in expected]
    assert [entry.constraints for entry in lock_file.providers] == [entry.constraints for entry in expected]
    assert [[locked.hash for locked in entry.hashes] for entry in lock_file.providers] == [
        sorted(entry.hash_set) for entry in expected
    ]


@with_fewer_examples
@given(provider_lists, st.sampled_from(Client))
def test_reading_and_rendering_a_canonical_file_changes_no_byte(
    providers: list[LockedProvider], client: Client
) -> None:
    data = canonical(providers, client=client)
    assert canonical(parse(data, path="lock").providers, client=client) == data


@with_fewer_examples
@given(untidy_files())
def test_rendering_an_untidy_file_keeps_what_it_says(data: bytes) -> None:
    lock_file = read_or_skip(data)
    again = parse(canonical(lock_file.providers, client=lock_file.client), path="lock")
    assert {entry.address: entry.hash_set for entry in again.providers} == {
        entry.address: entry.hash_set for entry in lock_file.providers
    }


@with_fewer_examples
@given(st.data(), untidy_files())
def test_an_edit_says_what_was_asked_and_nothing_else(data: st.DataObject, file: bytes) -> None:
    lock_file = read_or_skip(file)
    changes = data.draw(changes_of(lock_file, add=True, drop=True))
    after = parse(edited(lock_file, changes), path="lock", client=lock_file.client)
    for before, now in zip(lock_file.providers, after.providers, strict=True):
        change = changes[before.address]
        assert (now.address, now.version, now.constraints) == (before.address, before.version, before.constraints)
        assert now.hash_set == (before.hash_set - change.drop) | change.add
        kept = [locked.hash for locked in before.hashes if locked.hash not in change.drop]
        assert [locked.hash for locked in now.hashes if locked.hash in set(kept)] == kept


@with_fewer_examples
@given(st.data(), untidy_files())
def test_adding_takes_no_byte_away(data: st.DataObject, file: bytes) -> None:
    lock_file = read_or_skip(file)
    after = edited(lock_file, data.draw(changes_of(lock_file, add=True, drop=False)))
    assert is_subsequence(file, after)


@with_fewer_examples
@given(st.data(), untidy_files())
def test_dropping_puts_no_byte_in_and_keeps_comments_on_their_own_lines(data: st.DataObject, file: bytes) -> None:
    lock_file = read_or_skip(file)
    after = edited(lock_file, data.draw(changes_of(lock_file, add=False, drop=True)))
    assert is_subsequence(after, file)
    for comment in (b"# own line", b"# top", b"/* a", b"// e"):
        assert after.count(comment) == file.count(comment)


@with_fewer_examples
@given(st.data(), provider_lists, st.sampled_from(Client))
def test_a_canonical_file_stays_canonical(data: st.DataObject, providers: list[LockedProvider], client: Client) -> None:
    lock_file = parse(canonical(providers, client=client), path="lock")
    after = edited(lock_file, data.draw(changes_of(lock_file, add=True, drop=True)))
    assert canonical(parse(after, path="lock").providers, client=client) == after


@with_fewer_examples
@given(st.data(), untidy_files())
def test_adding_and_dropping_the_same_hashes_restores_the_content(data: st.DataObject, file: bytes) -> None:
    lock_file = read_or_skip(file)
    changes = data.draw(changes_of(lock_file, add=True, drop=False))
    new = {entry.address: changes[entry.address].add - entry.hash_set for entry in lock_file.providers}
    there = parse(edited(lock_file, changes), path="lock", client=lock_file.client)
    back = parse(edited(there, {address: HashChange(drop=found) for address, found in new.items()}), path="lock")
    assert content(back.providers) == content(lock_file.providers)


MARKS = b"\n \r\n \r \t \" \\ # // /* */ { } [ ] ( ) , = == $ % ${ $${ %{ %%{ ~ : . - + ! < > | & ? ; <<E ` '"
SNIPPETS = [
    *MARKS.split(b" "),
    b" ",
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"null",
    b"true",
    b"for",
    b"1e9",
    b'"h1:a",',
    b'provider "a.test/b/c" {',
    b"module ",
    b"version = ",
    b"hashes = [",
    b"<<<<<<< a\n",
    b">>>>>>> b\n",
    b"\\u0041",
    b"\\ud800",
]


damages_of_files = st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(SNIPPETS), st.integers(0, 9)), max_size=6)


@with_fewer_examples
@given(untidy_files(), damages_of_files)
def test_a_damaged_file_is_read_or_refused_with_an_error_of_ours(
    data: bytes, damages: list[tuple[int, bytes, int]]
) -> None:
    for place, snippet, cut in damages:
        at = place % (len(data) + 1)
        data = data[:at] + snippet + data[at + cut :]
    try:
        lock_file = parse(data, path="lock")
    except LockFileError:
        return
    assert edited(lock_file, {}) == data
    again = parse(canonical(lock_file.providers, client=lock_file.client), path="lock")
    assert len(again.providers) == len(lock_file.providers)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_an_error_of_ours(data: bytes) -> None:
    try:
        lock_file = parse(data, path="lock")
    except LockFileError:
        return
    assert lock_file.data == data


@given(versions, versions, versions)
def test_the_order_of_versions_is_total(one: Version, other: Version, third: Version) -> None:
    assert (one < other) + (other < one) + (one.order_key == other.order_key) == 1
    assert (one <= other) == (not other < one)
    if one <= other <= third:
        assert one <= third


@given(versions)
def test_a_version_is_read_back_from_its_canonical_form(version: Version) -> None:
    assert Version.parse(str(version)) == version


@given(constraints, versions)
def test_canonical_constraints_stay_as_they_are_and_mean_the_same(text: str, version: Version) -> None:
    parsed = VersionConstraints.parse(text)
    assert str(parsed) == text
    assert VersionConstraints.parse(str(parsed)).allows(version) == parsed.allows(version)


@given(st.text(max_size=30))
def test_any_text_is_constraints_or_refused(text: str) -> None:
    try:
        canonical_form = str(VersionConstraints.parse(text))
    except InvalidVersionError:
        return
    assert str(VersionConstraints.parse(canonical_form)) == canonical_form
