"""What a client compares: which schemes, in which form of a package, and what follows while hashes are not known."""

from __future__ import annotations

import pytest
from builders.audits import h1, zh
from builders.coverage import MALFORMED_H1, MALFORMED_ZH, UNKNOWN_SCHEME
from builders.run_results import locked
from builders.tables import table

from lockwarden.core.coverage.checks import NOTHING_KNOWN, Allowed, Check, Shape
from lockwarden.core.values.hashes import Hash

KNOWN = frozenset({zh("a"), h1("a")})


def allowed(*hashes: Hash) -> Allowed:
    return Allowed.of(locked(*hashes))


@table("hashes", [(), (UNKNOWN_SCHEME,)], ids=["no hashes", "only an unknown scheme"])
@table("shape", Shape)
def test_without_a_hash_of_a_known_scheme_nothing_is_compared(shape: Shape, hashes: tuple[Hash, ...]) -> None:
    assert allowed(*hashes).at_install(shape, KNOWN) is Check.COMPARES_NOTHING
    assert allowed(*hashes).at_run(KNOWN) is Check.COMPARES_NOTHING


@pytest.mark.parametrize("shape", [Shape.ARCHIVE, Shape.BLOB])
def test_a_malformed_zh_alone_refuses_every_archive(shape: Shape) -> None:
    assert allowed(MALFORMED_ZH).at_install(shape, KNOWN) is Check.FAILS
    assert allowed(MALFORMED_ZH).at_install(shape, NOTHING_KNOWN) is Check.FAILS


def test_a_malformed_h1_alone_refuses_every_folder_and_a_malformed_zh_none() -> None:
    assert allowed(MALFORMED_H1).at_install(Shape.FOLDER, NOTHING_KNOWN) is Check.FAILS
    assert allowed(MALFORMED_ZH).at_install(Shape.FOLDER, NOTHING_KNOWN) is Check.COMPARES_NOTHING


def test_one_match_of_either_scheme_is_enough_for_an_archive() -> None:
    assert allowed(zh("a"), h1("b")).at_install(Shape.ARCHIVE, KNOWN) is Check.PASSES
    assert allowed(zh("b"), h1("a")).at_install(Shape.ARCHIVE, KNOWN) is Check.PASSES
    assert allowed(zh("b"), h1("b")).at_install(Shape.ARCHIVE, KNOWN) is Check.FAILS


def test_a_folder_is_compared_by_its_h1_and_with_zh_alone_not_at_all() -> None:
    assert allowed(h1("a")).at_install(Shape.FOLDER, KNOWN) is Check.PASSES
    assert allowed(zh("a"), h1("b")).at_install(Shape.FOLDER, KNOWN) is Check.FAILS
    assert allowed(zh("b")).at_install(Shape.FOLDER, KNOWN) is Check.COMPARES_NOTHING


def test_a_blob_is_compared_by_its_zh_alone() -> None:
    assert allowed(zh("a")).at_install(Shape.BLOB, KNOWN) is Check.PASSES
    assert allowed(h1("a")).at_install(Shape.BLOB, KNOWN) is Check.FAILS
    assert allowed(h1("a"), zh("b")).at_install(Shape.BLOB, KNOWN) is Check.FAILS


def test_what_is_not_known_is_open_only_where_a_locked_hash_could_match() -> None:
    assert allowed(zh("a")).at_install(Shape.ARCHIVE, NOTHING_KNOWN) is Check.OPEN
    assert allowed(zh("b"), h1("b")).at_install(Shape.ARCHIVE, frozenset({zh("a")})) is Check.OPEN
    assert allowed(zh("b")).at_install(Shape.ARCHIVE, frozenset({zh("a")})) is Check.FAILS
    assert allowed(h1("b")).at_install(Shape.FOLDER, NOTHING_KNOWN) is Check.OPEN
    assert allowed(h1("b")).at_install(Shape.BLOB, NOTHING_KNOWN) is Check.FAILS


def test_a_run_compares_the_h1_of_the_folder() -> None:
    assert allowed(h1("a")).at_run(frozenset({h1("a")})) is Check.PASSES
    assert allowed(zh("a"), h1("b")).at_run(frozenset({h1("a")})) is Check.FAILS
    assert allowed(h1("a")).at_run(NOTHING_KNOWN) is Check.OPEN
    assert allowed(zh("a")).at_run(NOTHING_KNOWN) is Check.FAILS


def test_useless_hashes_are_no_help() -> None:
    assert allowed(zh("a"), MALFORMED_ZH, h1("a"), MALFORMED_H1, UNKNOWN_SCHEME).usable() == KNOWN
    assert allowed(zh("a"), h1("a")).usable(frozenset({"zh"})) == {zh("a")}
