"""The difference between two packages, file by file."""

from __future__ import annotations

from lockwarden.core.modules.package_diff import (
    MAX_ALL_LINES,
    MAX_FILES,
    MAX_TEXT,
    FileChange,
    PackageDiff,
    PackageFile,
    PackageTree,
    package_diff,
)


def diff(before: dict[str, bytes], after: dict[str, bytes]) -> PackageDiff:
    old, new = (
        PackageTree(name=name, files={path: PackageFile.of(content) for path, content in files.items()})
        for name, files in (("old", before), ("new", after))
    )
    return package_diff(old, new)


def test_files_come_go_and_change_and_the_same_are_counted() -> None:
    found = diff({"a": b"1\n2\n", "b": b"x\n", "c": b"c\n"}, {"a": b"1\n3\n", "c": b"c\n", "d": b"d\n"})
    assert (found.before, found.after, found.alike, found.left_out) == ("old", "new", 1, 0)
    assert [(each.path, each.change, each.lines) for each in found.files] == [
        ("a", FileChange.CHANGED, ("@@ -1,2 +1,2 @@", " 1", "-2", "+3")),
        ("b", FileChange.REMOVED, ("@@ -1 +0,0 @@", "-x")),
        ("d", FileChange.ADDED, ("@@ -0,0 +1 @@", "+d")),
    ]
    assert PackageTree(name="x", files={"a": PackageFile.of(b"")}).digests == {
        "a": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    }


def test_a_missing_line_feed_at_the_end_is_a_difference_that_nothing_can_imitate() -> None:
    (file,) = diff({"a": b"x"}, {"a": b"x (no line feed at the end)\n"}).files
    assert file.lines == ("@@ -1 +1 @@", "-x (no line feed at the end)", "+x (no line feed at the end)")


def test_what_is_no_text_or_too_large_has_its_sizes_and_digests_and_a_reason() -> None:
    large = b"x" * (MAX_TEXT + 1)
    found = diff({"a": b"\0", "b": b"\xff", "c": b"x"}, {"a": b"x", "b": b"x", "c": large})
    assert [each.not_shown for each in found.files] == ["it is no text", "it is no text", "it is too large"]
    assert all(each.lines == () for each in found.files)
    after = found.files[2].after
    assert after is not None
    assert (after.size, after.content, len(after.digest)) == (MAX_TEXT + 1, None, 64)
    known = PackageTree(name="old", files={"a": PackageFile(digest="a" * 64)})
    (file,) = package_diff(known, PackageTree(name="new", files={"a": PackageFile.of(b"x")})).files
    assert file.not_shown == "its text is not known any more"


def test_there_are_limits_and_what_goes_beyond_is_counted() -> None:
    (file,) = diff({}, {"a": b"x\n" * 600}).files
    assert (len(file.lines), file.not_shown) == (500, "101 more lines are not shown")
    (file,) = diff({}, {"a": b"x" * 500 + b"\n"}).files
    assert file.lines[-1].endswith("x… (101 more characters)")
    many = diff({}, {f"{place:04}": b"x\n" * 600 for place in range(MAX_FILES + 2)})
    assert (len(many.files), many.left_out) == (MAX_FILES, 2)
    assert sum(len(each.lines) for each in many.files) == MAX_ALL_LINES
    assert many.files[-1].not_shown == "there are more lines than are shown"


def test_two_files_that_are_made_to_be_slow_to_compare_are_not_compared_line_by_line() -> None:
    lines = [f"{place % 100}\n".encode() for place in range(1_100)]
    (file,) = diff({"a": b"".join(lines)}, {"a": b"".join(reversed(lines))}).files
    assert file.lines[0] == "-0"  # no places: the old ones go, the new ones come
    assert "more lines are not shown" in file.not_shown


def test_another_mode_alone_is_a_change_of_its_own() -> None:
    one, other = (PackageFile(digest="a" * 64, size=1, content=b"x", mode=mode) for mode in (0o644, 0o755))
    old, new = (PackageTree(name=name, files={"a": each}) for name, each in (("old", one), ("new", other)))
    (file,) = package_diff(old, new).files
    assert (file.change, file.lines, file.not_shown) == (FileChange.MODE_CHANGED, (), "")
    assert package_diff(old, old).files == ()
