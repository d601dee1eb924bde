"""Laws of resolving: nothing comes in that no side had or that is not confirmed; resolved is resolved; and any text at
all is read without a fault of our own.
"""

from __future__ import annotations

from contextlib import suppress

from builders.audits import ADDRESS, VERSION, h1, zh
from builders.conflicts import PATH, between, resolved_of
from builders.reading import SECOND_READER
from builders.reviews import HEADER, entry_text
from builders.strategies import SEEDS, audits, worlds
from builders.thorough import with_fewer_examples
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.conflict_markers import BrokenMarkersError
from lockwarden.core.lockfile.conflict_sides import conflicted
from lockwarden.core.review.resolving import choices_from
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.errors import LockFileInvalidError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

LATER = Version.parse("1.3.0")
HASHES = [make(seed) for make in (zh, h1) for seed in (*SEEDS, "of nobody")]
blocks = st.builds(
    lambda hashes, version: entry_text(*hashes, version=version, constraints=""),
    st.sets(st.sampled_from(HASHES), max_size=5),
    st.sampled_from([str(VERSION), str(LATER)]),
)
taken = st.sampled_from(["higher", "lower", "ours", "theirs", "1.2.3", "widget=higher"])
SCRAPS = (
    *("<<<<<<< HEAD\n", "||||||| base\n", "=======\n", ">>>>>>> topic\n", "<<<<<<<<< x\n", "=========\n", "<<<<<<<"),
    *("/*\n", "*/\n", "# said\n", "\r\n", "\n", '"', "<<EOT\n", "EOT\n", "}\n", "\ufeff", "\x00"),
    *entry_text(zh("one"), h1("one")).splitlines(keepends=True),
    entry_text(zh("two")),
)


def both(audit: Audit) -> tuple[Audit, Audit]:
    """The same said of both versions."""
    at = replace(audit, address=ADDRESS, version=VERSION)
    return at, replace(at, version=LATER)


@with_fewer_examples
@given(st.one_of(audits(), worlds()), blocks, blocks, taken)
def test_a_union_has_only_what_a_side_had_and_is_confirmed(audit: Audit, ours: str, theirs: str, word: str) -> None:
    made = resolved_of(HEADER + between(ours, theirs), *both(audit), choices=choices_from([word]))
    for provider in made.resolution.providers:
        had: frozenset[Hash] = frozenset().union(*(each.entry.hash_set for each in provider.candidates))
        confirmed = {row.hash for row in provider.kept}
        assert all(row.verdict is Verdict.CONFIRMED for row in provider.kept)
        assert confirmed <= had
        assert provider.version in {each.entry.version for each in provider.candidates}
        if provider.entry is not None:
            assert provider.entry.hash_set == confirmed
            assert provider.entry.protects
        assert confirmed | {each.row.hash for each in provider.left_out} == had


@with_fewer_examples
@given(st.one_of(audits(), worlds()), blocks, blocks, taken)
def test_what_is_resolved_is_in_no_conflict_and_both_ways_round_come_to_the_same(
    audit: Audit, ours: str, theirs: str, word: str
) -> None:
    made = resolved_of(HEADER + between(ours, theirs), *both(audit), choices=choices_from([word]))
    if made.after is None:
        return
    assert conflicted(made.after, path=PATH, second_reader=SECOND_READER) is None
    again = resolved_of(HEADER + between(made.after.decode().removeprefix(HEADER), ours), *both(audit))
    if word == "higher" and again.resolution.providers:
        turned = resolved_of(HEADER + between(theirs, ours), *both(audit))
        assert turned.after == made.after == again.after


@given(st.lists(st.sampled_from(SCRAPS), max_size=25))
def test_whatever_stands_in_a_file_it_is_sides_or_an_error_with_a_sentence(scraps: list[str]) -> None:
    with suppress(BrokenMarkersError, LockFileInvalidError):
        found = conflicted("".join(scraps).encode(), path=PATH, second_reader=SECOND_READER)
        assert found is None or len(found.sides) > 1
