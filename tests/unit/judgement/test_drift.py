"""Drift: the same provider locked in more than one way by the files of one run."""

from __future__ import annotations

from builders.reviews import HEADER, entry_text

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import parse
from lockwarden.core.review.drift import Drift, drift_of
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

ONE, TWO, THREE = (Hash(f"zh:{digit * 64}") for digit in "123")
OTHER = "registry.opentofu.org/acme/other"


def lock_file(path: str, *blocks: str) -> LockFile:
    return parse((HEADER + "".join(blocks)).encode(), path=path)


def ways(drift: Drift) -> list[tuple[str, set[Hash], tuple[str, ...]]]:
    return [(str(form.version), set(form.hashes), form.paths) for form in drift.forms]


def test_one_file_cannot_drift_nor_can_files_that_lock_the_same() -> None:
    assert drift_of([]) == ()
    assert drift_of([lock_file("a", entry_text(ONE), entry_text(TWO, address=OTHER))]) == ()
    assert drift_of([lock_file("a", entry_text(ONE, TWO)), lock_file("b", entry_text(ONE, TWO))]) == ()


def test_neither_the_order_of_the_hashes_nor_constraints_nor_other_providers_make_a_difference() -> None:
    first = lock_file("a", entry_text(ONE, TWO, constraints="~> 1.0"))
    turned = entry_text(ONE, TWO).replace(f'"{ONE}"', '"x"').replace(f'"{TWO}"', f'"{ONE}"').replace('"x"', f'"{TWO}"')
    assert drift_of([first, lock_file("b", turned, entry_text(THREE, address=OTHER))]) == ()


def test_other_versions_drift_the_newest_first() -> None:
    files = [
        lock_file("a", entry_text(ONE, version="1.9.0")),
        lock_file("b", entry_text(TWO, version="1.10.0")),
        lock_file("c", entry_text(ONE, version="1.9.0")),
    ]
    (drift,) = drift_of(files)
    assert ways(drift) == [("1.10.0", {TWO}, ("b",)), ("1.9.0", {ONE}, ("a", "c"))]
    assert [drift.lacking(form) for form in drift.forms] == [frozenset(), frozenset()]


def test_other_hashes_of_one_version_drift_and_tell_what_each_lacks() -> None:
    files = [
        lock_file("a", entry_text(ONE)),
        lock_file("b", entry_text(ONE, TWO)),
        lock_file("c", entry_text(ONE, TWO)),
        lock_file("d", entry_text(THREE)),
    ]
    (drift,) = drift_of(files)
    assert ways(drift) == [("1.2.3", {ONE, TWO}, ("b", "c")), ("1.2.3", {ONE}, ("a",)), ("1.2.3", {THREE}, ("d",))]
    assert [drift.lacking(form) for form in drift.forms] == [{THREE}, {TWO, THREE}, {ONE, TWO}]


def test_what_other_versions_have_is_not_lacking() -> None:
    files = [lock_file("a", entry_text(ONE)), lock_file("b", entry_text(TWO, version="2.0.0"))]
    (drift,) = drift_of(files)
    assert all(not drift.lacking(form) for form in drift.forms)


def test_metadata_makes_another_version() -> None:
    files = [lock_file("a", entry_text(ONE, version="1.0.0+a")), lock_file("b", entry_text(ONE, version="1.0.0+b"))]
    (drift,) = drift_of(files)
    assert {form.version for form in drift.forms} == {Version.parse("1.0.0+a"), Version.parse("1.0.0+b")}


def test_providers_are_in_the_order_of_a_lock_file_and_each_file_finds_its_way() -> None:
    files = [
        lock_file("a", entry_text(ONE, address=OTHER), entry_text(ONE, address="registry.opentofu.org/acme/b")),
        lock_file("b", entry_text(TWO, address=OTHER), entry_text(TWO, address="registry.opentofu.org/acme/b")),
    ]
    first, second = drift_of(files)
    assert [first.address, second.address] == [
        ProviderAddress.parse("registry.opentofu.org/acme/b"),
        ProviderAddress.parse(OTHER),
    ]
    form = second.form_in("b")
    assert form is not None
    assert form.hashes == {TWO}
    assert second.form_in("elsewhere") is None
