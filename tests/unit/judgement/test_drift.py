"""Drift: the same provider locked in more than one way by the files of one run."""

from __future__ import annotations

from builders.reading import parse
from builders.reviews import HEADER, entry_text

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.drift import Drift, DriftKind, drift_of, loudest_drift_first, under_both_registries
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

ONE, TWO, THREE = (Hash(f"zh:{digit * 64}") for digit in "123")
LINUX, MAC = (Hash(f"h1:{letter * 43}=") for letter in "AE")
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


def stands_out(*files: LockFile) -> dict[str, tuple[DriftKind, ...]]:
    """What each file differs in from what is usual, in the only drift that there is."""
    (drift,) = drift_of(files)
    return {path: form.kinds for form in drift.forms for path in form.paths}


def test_of_versions_the_files_stand_out_that_have_another_one_than_most() -> None:
    files = [lock_file(name, entry_text(ONE, version="1.0.0")) for name in "abc"]
    assert stands_out(*files, lock_file("d", entry_text(ONE, version="2.0.0"))) == {
        "a": (),
        "b": (),
        "c": (),
        "d": (DriftKind.VERSION,),
    }


def test_of_versions_that_equally_many_have_the_newest_is_usual() -> None:
    old, new = lock_file("a", entry_text(ONE, version="1.0.0")), lock_file("b", entry_text(ONE, version="2.0.0"))
    assert stands_out(old, new) == {"a": (DriftKind.VERSION,), "b": ()}


def test_of_checksums_the_files_stand_out_that_have_others_than_most_and_all_where_there_is_no_majority() -> None:
    one, two, other = (lock_file(name, entry_text(each)) for name, each in (("a", ONE), ("b", ONE), ("c", TWO)))
    assert stands_out(one, two, other) == {"a": (), "b": (), "c": (DriftKind.CHECKSUMS,)}
    assert stands_out(one, other) == {"a": (DriftKind.CHECKSUMS,), "c": (DriftKind.CHECKSUMS,)}


def test_h1_hashes_alone_are_ordinary() -> None:
    files = [lock_file(name, entry_text(ONE, each)) for name, each in (("a", LINUX), ("b", MAC))]
    (drift,) = drift_of(files)
    assert drift.kinds == (DriftKind.PLATFORMS,)
    assert not any(form.stands_out for form in drift.forms)
    files.append(lock_file("c", entry_text(TWO, LINUX)))
    (drift,) = drift_of(files)
    assert drift.kinds == (DriftKind.CHECKSUMS, DriftKind.PLATFORMS)
    assert [form.paths for form in drift.forms if form.stands_out] == [("c",)]


def test_a_file_without_checksums_has_none_that_differ() -> None:
    """As an update bot writes it: the others' may all be right, and nothing in it says otherwise."""
    without, one, again = (
        lock_file(name, entry_text(*each)) for name, each in (("a", [LINUX]), ("b", [ONE, LINUX]), ("c", [ONE, MAC]))
    )
    assert stands_out(without, one) == {"a": (DriftKind.NO_CHECKSUMS,), "b": ()}
    assert stands_out(without, one, again) == {
        "a": (DriftKind.NO_CHECKSUMS,),
        "b": (),
        "c": (DriftKind.PLATFORMS,),
    }
    (drift,) = drift_of([without, one])
    assert not any(form.stands_out for form in drift.forms)
    two = lock_file("d", entry_text(TWO))
    assert stands_out(without, one, two) == {
        "a": (DriftKind.NO_CHECKSUMS,),
        "b": (DriftKind.CHECKSUMS,),
        "d": (DriftKind.CHECKSUMS,),
    }
    bare = lock_file("e", entry_text(MAC))
    assert stands_out(without, bare) == {"a": (), "e": (DriftKind.PLATFORMS,)}


def test_the_loudest_drift_is_told_first() -> None:
    third, fourth = "registry.opentofu.org/acme/zz", "registry.opentofu.org/acme/zzz"
    files = [
        lock_file(
            name,
            entry_text(ONE, h1),
            entry_text(zh, address=OTHER),
            entry_text(ONE, address=third, version=of),
            entry_text(LINUX, *more, address=fourth),
        )
        for name, h1, zh, of, more in (("a", LINUX, ONE, "1.0.0", []), ("b", MAC, TWO, "2.0.0", [ONE]))
    ]
    assert [each.kinds[0] for each in loudest_drift_first(drift_of(files))] == list(DriftKind)


def test_a_provider_under_both_default_registries_is_found_once_and_no_other_host_counts() -> None:
    there, here, else_ = (f"{host}/acme/x" for host in ("registry.opentofu.org", "registry.terraform.io", "a.test"))
    files = [
        lock_file("a", entry_text(ONE, address=here), entry_text(ONE, address=else_)),
        lock_file("b", entry_text(ONE, address=there)),
        lock_file("c", entry_text(ONE, address=here)),
    ]
    (both,) = under_both_registries(files)
    assert both.places == ((ProviderAddress.parse(there), ("b",)), (ProviderAddress.parse(here), ("a", "c")))
    assert under_both_registries(files[:1]) == ()
