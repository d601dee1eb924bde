"""Lock files in which several sides stand, and the files that are made of them."""

from __future__ import annotations

import pytest
from builders.audits import ADDRESS, h1, zh
from builders.reading import SECOND_READER
from builders.reviews import HEADER, entry_text
from msgspec.structs import replace

from lockwarden.core.lockfile import conflict_sides
from lockwarden.core.lockfile.conflict_markers import BrokenMarkersError
from lockwarden.core.lockfile.conflict_sides import (
    ConflictedLockFile,
    ConflictKind,
    broken_markers,
    of_stages,
    with_stages,
)
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.lockfile.resolved_text import resolved_text
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import LockFileEditError, LockFileInvalidError

GADGET = "registry.example.test/acme/gadget"
ZETA = "registry.example.test/acme/zeta"
OLD, NEW = (zh("old"), h1("old")), (zh("new"), h1("new"))


def conflicted(text: str, client: Client | None = None) -> ConflictedLockFile | None:
    return conflict_sides.conflicted(text.encode(), path="lock", second_reader=SECOND_READER, client=client)


def found_in(text: str, client: Client | None = None) -> ConflictedLockFile:
    found = conflicted(text, client)
    assert found is not None
    return found


def between(ours: str, theirs: str) -> str:
    return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> topic\n"


def locked(found: ConflictedLockFile) -> dict[str, list[tuple[str, str, int]]]:
    return {
        side.name: [(each.address.type, str(each.version), each.line) for each in side.lock_file.providers]
        for side in found.sides
    }


class TestSides:
    def test_a_conflict_around_whole_blocks(self) -> None:
        ours, theirs = entry_text(*OLD), entry_text(*NEW, version="1.3.0")
        found = found_in(HEADER + between(ours, theirs))
        assert found.kind is ConflictKind.MARKERS
        assert locked(found) == {"ours": [("widget", "1.2.3", 5)], "theirs": [("widget", "1.3.0", 14)]}
        assert [each.label for each in found.sides] == ["HEAD", "topic"]
        assert [each.line for each in found.sides[1].lock_file.providers[0].hashes] == [17, 18]

    def test_a_conflict_that_cuts_through_a_block(self) -> None:
        lines = entry_text(*OLD).splitlines(keepends=True)
        assert "version" in lines[2]
        text = HEADER + "".join(lines[:2]) + between(lines[2], lines[2].replace("1.2.3", "1.3.0")) + "".join(lines[3:])
        assert locked(found_in(text)) == {"ours": [("widget", "1.2.3", 4)], "theirs": [("widget", "1.3.0", 4)]}

    def test_several_blocks_of_one_provider_are_sides_without_any_marker(self) -> None:
        text = HEADER + entry_text(*OLD) + entry_text(address=GADGET) + entry_text(*NEW, version="1.3.0")
        found = found_in(text)
        assert found.kind is ConflictKind.REPEATED
        assert not found.is_unfinished
        assert locked(found) == {
            "block-1": [("widget", "1.2.3", 4), ("gadget", "1.2.3", 12)],
            "block-2": [("widget", "1.3.0", 16)],
        }
        assert [each.layer for each in found.sides] == [1, 2]

    def test_a_side_may_have_a_provider_twice(self) -> None:
        found = found_in(HEADER + between(entry_text(*OLD) + entry_text(*NEW), entry_text(*NEW)))
        assert [each.name for each in found.sides] == ["ours", "ours-2", "theirs"]

    def test_the_client_is_the_one_that_is_named_or_that_a_side_names(self) -> None:
        terraform = HEADER.replace("tofu", "terraform")
        assert found_in(between(terraform, HEADER) + entry_text()).client is Client.TERRAFORM
        assert found_in(between("", terraform) + entry_text()).client is Client.TERRAFORM
        assert found_in(between("# a\n", "# b\n") + entry_text()).client is Client.OPENTOFU
        assert found_in(between(terraform, HEADER) + entry_text(), Client.OPENTOFU).client is Client.OPENTOFU

    def test_one_side_alone_is_no_conflict(self) -> None:
        assert conflicted(HEADER + entry_text(*OLD)) is None
        assert conflicted(f"/*\n{between('', '')}*/\n{HEADER}{entry_text(*OLD)}") is None

    def test_a_side_that_no_client_reads_is_told_with_its_name_and_its_line(self) -> None:
        text = HEADER + between(entry_text(*OLD), entry_text(*NEW).replace("1.2.3", "one"))
        with pytest.raises(LockFileInvalidError) as caught:
            conflicted(text)
        told = caught.value.diagnostics[0]
        assert told.message.startswith("theirs: the version of registry.example.test/acme/widget is invalid")
        assert told.line == 15

    def test_markers_within_a_comment_are_nobodys(self) -> None:
        hidden = f"/*\n{between('a', 'b').replace('a=', 'a' + chr(10) + '=').replace('b>', 'b' + chr(10) + '>')}*/\n"
        with pytest.raises(BrokenMarkersError) as caught:
            conflicted(HEADER + hidden + between(entry_text(*OLD), entry_text(*NEW)))
        assert (caught.value.line, caught.value.reason) == (4, "this one stands within a comment")
        comments = "# one\n/* two\nlines */\n"
        assert conflicted(HEADER + comments + between(entry_text(*OLD), entry_text(*NEW)) + comments) is not None

    def test_more_blocks_than_any_merge_leaves_are_refused(self) -> None:
        text = HEADER + entry_text(*OLD) * 17
        with pytest.raises(LockFileInvalidError, match="more than 16 blocks"):
            conflicted(text)

    def test_what_does_not_fit_together_is_one_sentence_with_a_hint(self) -> None:
        error = broken_markers(BrokenMarkersError(7, "it is torn"), "lock")
        assert "lock:7: the markers of its merge conflict do not fit together: it is torn" in str(error)
        assert "git checkout --merge" in error.hint


class TestStages:
    def test_the_index_has_whole_files(self) -> None:
        ours, theirs = (HEADER + entry_text(*each) for each in (OLD, NEW))
        found = of_stages(b"torn", ours.encode(), theirs.encode(), path="lock", second_reader=SECOND_READER)
        assert found.kind is ConflictKind.STAGES
        assert found.is_unfinished
        assert locked(found) == {"ours": [("widget", "1.2.3", 4)], "theirs": [("widget", "1.2.3", 4)]}
        assert found.sides[0].label == "as git's index has ours"

    def test_it_tells_what_a_side_was_of_which_git_merged_the_version_line(self) -> None:
        ours = HEADER + entry_text(*OLD)
        theirs = HEADER + entry_text(*NEW, version="1.3.0")
        rows = [f'    "{each}",\n' for each in sorted((*OLD, *NEW))]
        merged = HEADER + entry_text(*OLD, *NEW, version="1.3.0")
        for row in rows:
            merged = merged.replace(row, "")
        own = [[row for row in rows if row.split('"')[1] in {str(each) for each in side}] for side in (OLD, NEW)]
        merged = merged.replace("  hashes = [\n", "  hashes = [\n" + between("".join(own[0]), "".join(own[1])))
        found = found_in(merged)
        assert locked(found)["ours"] == [("widget", "1.3.0", 4)]
        told = with_stages(found, ours.encode(), theirs.encode(), second_reader=SECOND_READER)
        assert locked(told) == {"ours": [("widget", "1.2.3", 4)], "theirs": [("widget", "1.3.0", 4)]}
        assert [each.line for each in told.sides[0].lock_file.providers[0].hashes] == [8, 9]

    def test_what_somebody_wrote_since_stays(self) -> None:
        by_hand = HEADER + between(entry_text(*OLD, zh("by hand")), entry_text(*NEW)) + entry_text(address=GADGET)
        found = found_in(by_hand)
        ours, theirs = (HEADER + entry_text(*each) for each in (OLD, NEW))
        told = with_stages(found, ours.encode(), theirs.encode(), second_reader=SECOND_READER)
        assert told.sides[0] == found.sides[0]
        assert told.sides[1] == found.sides[1]

    def test_what_a_stage_lacks_or_no_client_reads_stays(self) -> None:
        found = found_in(HEADER + between(entry_text(*OLD), entry_text(*NEW) + entry_text(*NEW)))
        bare = (HEADER + entry_text(address=GADGET)).encode()
        assert with_stages(found, bare, bare, second_reader=SECOND_READER) == found
        assert with_stages(found, b"no lock file", bare, second_reader=SECOND_READER) is found


def entries(*texts: str) -> list[LockedProvider]:
    return [found_in(HEADER + text + text).sides[0].lock_file.providers[0] for text in texts]


def resolved(text: str, *wanted: str) -> str:
    return resolved_text(found_in(text), entries(*wanted), SECOND_READER).decode()


class TestResolvedText:
    def test_a_side_in_the_clients_form_stays_in_it(self) -> None:
        text = HEADER + between(entry_text(*OLD), entry_text(*NEW)) + entry_text(address=ZETA)
        added = entry_text(*NEW, address=GADGET)
        both = entry_text(*OLD, *NEW)
        assert resolved(text, both, entry_text(address=ZETA), added) == HEADER + added + both + entry_text(address=ZETA)

    def test_repeated_blocks_in_the_clients_form_become_one(self) -> None:
        text = HEADER + entry_text(*OLD) + entry_text(*NEW)
        assert resolved(text, entry_text(*OLD, *NEW)) == HEADER + entry_text(*OLD, *NEW)

    def test_of_another_form_everything_else_stays_to_the_byte(self) -> None:
        mine = '# mine\nmodule "x" {\n}\n'
        text = HEADER + mine + between(entry_text(*OLD), entry_text(*NEW)) + "# end\n" + entry_text(address=ZETA)
        both = entry_text(*OLD, *NEW)
        made = resolved(text, both, entry_text(address=ZETA), entry_text(address=GADGET))
        assert made == HEADER + mine + both + "# end\n" + entry_text(address=ZETA) + entry_text(address=GADGET)

    def test_line_ends_stay(self) -> None:
        text = (HEADER + between(entry_text(*OLD), entry_text(*NEW))).replace("\n", "\r\n")
        both = entry_text(*OLD, *NEW)
        assert resolved(text, both) == (HEADER + both).replace("\n", "\r\n")

    def test_further_blocks_go_with_their_lines_and_a_provider_that_is_not_wanted_goes(self) -> None:
        text = "# mine\n" + entry_text(*OLD) + "# between\n" + entry_text(*NEW) + entry_text(address=ZETA) + "# end"
        made = resolved(text, entry_text(*OLD, *NEW))
        assert made == "# mine\n" + entry_text(*OLD, *NEW) + "# between\n" + "# end"

    def test_a_block_that_shares_its_line_leaves_the_rest(self) -> None:
        one = f'provider "{ADDRESS}" {{ version = "1.2.3" }}'
        text = f"{one}\n/* kept */ {one} # said\n"
        made = resolved(text, entry_text(*OLD))
        assert made == entry_text(*OLD).strip("\n") + "\n/* kept */  # said\n"
        assert resolved(f"{one}\n{one}", entry_text(*OLD)) == entry_text(*OLD).strip("\n") + "\n"

    def test_a_first_block_that_says_so_already_stays_as_it_is(self) -> None:
        odd = entry_text(*OLD).replace("  version = ", "  version   =   ").replace("zh", "zh", 1)
        text = "# mine\n" + odd + entry_text(*NEW)
        assert resolved(text, entry_text(*OLD)) == "# mine\n" + odd

    def test_what_would_not_say_what_was_asked_is_not_written(self) -> None:
        found = found_in(HEADER + between(entry_text(*OLD), entry_text(*NEW)))
        (entry,) = entries(entry_text(*OLD))
        twice = replace(entry, hashes=(*entry.hashes, *entry.hashes))
        with pytest.raises(LockFileEditError, match="its content would be another"):
            resolved_text(found, [twice], SECOND_READER)
        bad = replace(entry, constraints="not a constraint")
        with pytest.raises(LockFileEditError, match="cannot be resolved safely"):
            resolved_text(found, [bad], SECOND_READER)
