"""The file tree that tar layers make, and its h1: whiteouts, links, and what no package may hold.

Every expected h1 is computed by hand.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from unit.oci.tars import PLAIN, file, folder, h1, hard, inspect, link, refusal, special, tar

from lockwarden.core.archives.inspection import ArchiveLimits


def test_names_are_taken_from_the_root_of_the_image(tmp_path: Path) -> None:
    layer = tar([folder("./"), file("./a"), file("/b"), file("c/./d")])
    assert inspect(tmp_path, layer).h1.text == h1({"a": b"x", "b": b"x", "c/d": b"x"})


def test_a_later_layer_adds_and_replaces(tmp_path: Path) -> None:
    lower = tar([file("a", b"1"), file("b", b"1"), file("d/x"), file("e")])
    upper = tar([file("b", b"2"), file("c", b"2"), file("d/y")])
    assert inspect(tmp_path, lower, upper).h1.text == h1(
        {"a": b"1", "b": b"2", "c": b"2", "d/x": b"x", "d/y": b"x", "e": b"x"}
    )


def test_a_file_takes_the_place_of_a_folder_and_the_reverse(tmp_path: Path) -> None:
    lower = tar([file("d/x"), file("d/y"), file("f")])
    upper = tar([file("d", b"now a file"), folder("f"), file("f/z")])
    assert inspect(tmp_path, lower, upper).h1.text == h1({"d": b"now a file", "f/z": b"x"})


def test_a_folder_over_a_folder_keeps_what_is_in_it(tmp_path: Path) -> None:
    lower = tar([file("d/x")])
    assert inspect(tmp_path, lower, tar([folder("d"), file("d/y")])).h1.text == h1({"d/x": b"x", "d/y": b"x"})


def test_a_whiteout_takes_away_what_is_below(tmp_path: Path) -> None:
    lower = tar([file("a"), file("d/x"), file("d/y"), file("e/x")])
    upper = tar([file(".wh.a", b""), file("d/.wh.x", b""), file(".wh.e", b""), file(".wh.unknown", b"")])
    assert inspect(tmp_path, lower, upper).h1.text == h1({"d/y": b"x"})


def test_a_whiteout_spares_its_own_layer_in_whatever_order(tmp_path: Path) -> None:
    lower = tar([file("a", b"old")])
    for entries in ([file("a", b"new"), file(".wh.a", b"")], [file(".wh.a", b""), file("a", b"new")]):
        assert inspect(tmp_path, lower, tar(entries)).h1.text == h1({"a": b"new"})


def test_an_opaque_whiteout_empties_a_folder_of_what_is_below(tmp_path: Path) -> None:
    lower = tar([file("d/x"), file("d/sub/y"), file("other")])
    upper = tar([file("d/new"), file("d/.wh..wh..opq", b"")])
    assert inspect(tmp_path, lower, upper).h1.text == h1({"d/new": b"x", "other": b"x"})
    assert inspect(tmp_path, lower, tar([file(".wh..wh..opq", b""), file("only")])).h1.text == h1({"only": b"x"})


def test_names_of_storage_drivers_mean_nothing(tmp_path: Path) -> None:
    assert inspect(tmp_path, tar([file("a")]), tar([folder(".wh..wh.plnk"), file(".wh..wh.aufs")])).h1.text == h1(
        {"a": b"x"}
    )


def test_a_link_to_a_file_counts_as_the_file(tmp_path: Path) -> None:
    layer = tar([file("bin/tool", b"t"), link("a", "bin/tool"), link("bin/b", "../a"), link("c", "./bin/../bin/b")])
    assert inspect(tmp_path, layer).h1.text == h1({"bin/tool": b"t", "a": b"t", "bin/b": b"t", "c": b"t"})


def test_a_link_to_a_folder_is_refused_though_another_link_goes_through_it(tmp_path: Path) -> None:
    layer = tar([file("real/file", b"r"), link("through", "alias/file"), link("alias", "real")])
    error = refusal(tmp_path, layer)  # the alias itself cannot be hashed
    assert (error.code, "alias" in error.message) == ("link-to-folder", True)


def test_a_hard_link_is_the_file_as_it_was_then(tmp_path: Path) -> None:
    lower = tar([file("a", b"1")])
    upper = tar([hard("b", "a"), hard("c", "./b"), file("a", b"2")])
    assert inspect(tmp_path, lower, upper).h1.text == h1({"a": b"2", "b": b"1", "c": b"1"})


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([link("a", "/etc/passwd")], "leaving-link"),
        ([link("a", "../x"), file("x")], "leaving-link"),
        ([link("d/a", "../../x"), file("x")], "leaving-link"),
        ([link("d/a", "../b"), link("b", "../x")], "leaving-link"),
        ([link("a", "nowhere")], "broken-link"),
        ([link("a", "")], "broken-link"),
        ([file("f"), link("a", "f/x")], "broken-link"),
        ([link("a", "b"), link("b", "a")], "broken-link"),
        ([link("a", "a/x")], "broken-link"),
        ([folder("d"), link("a", "d")], "link-to-folder"),
        ([link("a", ".")], "link-to-folder"),
        ([file("../a")], "climbing-name"),
        ([file("a/../../b")], "climbing-name"),
        ([file("a/..")], "climbing-name"),
        ([file("a/.wh...")], ""),
        ([hard("a", "b")], "broken-link"),
        ([folder("d"), hard("a", "d")], "broken-link"),
        ([hard("a", "../b")], "climbing-name"),
        ([hard("a", "/")], "broken-link"),
        ([special("a", tarfile.CHRTYPE)], "special-file"),
        ([special("a", tarfile.FIFOTYPE)], "special-file"),
        ([special("a", b"S")], "special-file"),
        ([special("a", b"?")], "special-file"),
        ([file("a"), file("a/b")], "conflicting-names"),
        ([file("./")], "conflicting-names"),
        ([link(".", "x")], "conflicting-names"),
        ([file("a\nb")], "line-feed-in-name"),
        ([file("a" * 256)], "too-long-name"),
        ([file("/".join(["a" * 200] * 25))], "broken-tar"),
        ([folder("d"), link("l", "d"), file("l/x")], "through-link"),
        ([link("l", "/etc"), file("l/cron.d/x")], "through-link"),
    ],
)
def test_what_no_package_may_hold_is_refused(
    tmp_path: Path, entries: list[tuple[tarfile.TarInfo, bytes]], code: str
) -> None:
    if code:
        assert refusal(tmp_path, tar(entries)).code == code
    else:
        inspect(tmp_path, tar(entries))


def test_links_that_take_for_ever_to_follow_are_refused(tmp_path: Path) -> None:
    """Each leads down and up a deep folder to the next one, and many lead to the first."""
    detour = "/".join(["a"] * 800 + [".."] * 800)
    chain = [link(f"l{number}", f"{detour}/l{number + 1}") for number in range(38)]
    many = [link(f"m{number}", "l0") for number in range(1_000)]
    layer = tar([folder("/".join(["a"] * 800)), *chain, file("l38"), *many])
    assert refusal(tmp_path, layer).code == "too-many-members"


def test_a_whiteout_does_not_reach_through_a_link(tmp_path: Path) -> None:
    lower = tar([file("d/x"), link("l", "d/x")])
    assert refusal(tmp_path, lower, tar([file("l/.wh.x", b"")])).code == "through-link"
    assert refusal(tmp_path, lower, tar([file("l/.wh..wh..opq", b"")])).code == "through-link"


def test_a_link_in_a_lower_layer_does_not_lead_an_upper_one_out(tmp_path: Path) -> None:
    assert refusal(tmp_path, tar([link("etc", "/etc")]), tar([file("etc/passwd")])).code == "through-link"


def test_a_whiteout_in_a_folder_that_is_not_there_takes_nothing_away(tmp_path: Path) -> None:
    upper = tar([file("d/.wh.x", b""), file("d/.wh..wh..opq", b""), file("a/.wh.x", b"")])
    assert inspect(tmp_path, PLAIN, upper).h1.text == h1({"a": b"content"})


@pytest.mark.parametrize("layer", [b"", bytes(1024)])
def test_an_empty_layer_adds_nothing(tmp_path: Path, layer: bytes) -> None:
    assert inspect(tmp_path, PLAIN, layer).h1.text == h1({"a": b"content"})
    assert inspect(tmp_path, layer).h1.text == "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_layers_have_limits_together(tmp_path: Path) -> None:
    three = [tar([file(f"{number}", b"x" * 2000)]) for number in range(3)]
    assert refusal(tmp_path, *three, limits=ArchiveLimits(members=2)).code == "too-many-members"
    assert refusal(tmp_path, *three, limits=ArchiveLimits(unpacked_size=20_000)).code == "too-large"
    named = [tar([file("x" * 100), link("y", "x" * 100)]), tar([file("z" * 100)])]
    assert inspect(tmp_path, *named, limits=ArchiveLimits(directory_size=301)).files == 3
    longer = refusal(tmp_path, *named, limits=ArchiveLimits(directory_size=300))
    assert (longer.code, "longer names together" in longer.message) == ("too-many-members", True)
    assert refusal(tmp_path, *[PLAIN] * 128).code == "too-many-layers"
