"""Out of the review and back: the editor, the browser, files to hand on, and what happens on disk meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.keeping import MemoryKeeper
from fakes.lock_files import EDGE, PLANTED, every_verdict
from fakes.many_files import NULL_ENTRY, FilesOnDisk, files_app, of
from fakes.running import Disk
from msgspec.structs import replace
from textual import events
from textual.widgets import Input

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.errors import LockwardenError, ToolError
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.render.links import links_of
from lockwarden.tui.screens import typing_ahead
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.export import ExportScreen
from lockwarden.tui.screens.links import LinksScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.widgets.key_line import KeyLine

SUSPECT = HashKey.of(EDGE.address, PLANTED)


@dataclass
class Programs:
    """An editor that saves something else, and a browser."""

    disk: Disk
    saves: bytes = b""
    """What is in the file after the editor; empty where it changes nothing."""
    refusal: LockwardenError | None = None
    code: int = 0
    edited: list[tuple[str, int]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def editor(self, path: Path, line: int) -> Sequence[str]:
        if self.refusal is not None:
            raise self.refusal
        self.edited.append((str(path), line))
        return ("edit",)

    def run(self, command: Sequence[str]) -> int:
        self.disk.data = self.saves or self.disk.data
        return self.code

    def browse(self, address: str) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.opened.append(address)

    def differs(self, path: Path, known: bytes) -> bool:
        return self.disk.data != known


@contextmanager
def nobody_draws() -> Iterator[None]:
    yield


def with_programs(programs: Programs, keeper: MemoryKeeper | None = None) -> LockwardenApp:
    app = app_of(every_verdict(), disk=programs.disk, keeper=keeper)
    app.setup = replace(app.setup, programs=programs, differs=programs.differs)
    app.suspend = nobody_draws  # type: ignore[method-assign]  # without a terminal there is none to leave
    return app


def without_planted() -> bytes:
    lines = every_verdict().data.splitlines(keepends=True)
    return b"".join(line for line in lines if PLANTED.text.encode() not in line)


def test_the_editor_opens_at_the_line_and_what_was_saved_is_reviewed() -> None:
    programs = Programs(Disk(every_verdict().data), saves=without_planted())

    async def scenario(d: Driver) -> None:
        line = d.row.line
        await d.press("j", "space", "k", "e")
        await d.settle()
        assert programs.edited == [("infra/prod/.terraform.lock.hcl", line)]
        assert PLANTED not in {row.hash for row in d.review.provider(EDGE.address).rows if row.locked}
        assert list(d.review.decisions.made.values()) == [Decision.DROP], "decisions stay where they fit"
        await d.press("h", "e")
        await d.settle()
        assert programs.edited[1] == ("infra/prod/.terraform.lock.hcl", d.provider.entry.line)

    drive(with_programs(programs), scenario)


def test_an_editor_that_saves_nothing_or_fails_changes_nothing_and_says_so() -> None:
    programs = Programs(Disk(every_verdict().data))

    async def scenario(d: Driver) -> None:
        before = d.review
        await d.press("e")
        await d.settle()
        assert "nothing was changed in the editor" in d.lines[-1]
        programs.code = 3
        await d.press("enter", "e")
        await d.settle()
        assert d.shows(ReviewScreen)
        assert "the editor ended with 3" in d.lines[-1]
        assert d.review is before
        programs.refusal = ToolError("no editor is known", hint="set EDITOR to the one that you like")
        await d.press("e")
        await d.reach(ConfirmScreen)
        assert "set EDITOR" in d.text

    drive(with_programs(programs), scenario)


def test_a_file_that_changes_on_disk_is_noticed_and_read_again_with_its_decisions() -> None:
    programs = Programs(Disk(every_verdict().data))

    async def scenario(d: Driver) -> None:
        await d.press("space")
        programs.disk.data = every_verdict().data + b"# a comment\n"
        d.app.watching.look()
        await d.settle()
        assert "changed on disk: infra/prod/.terraform.lock.hcl; r reads again" in d.lines[-1]
        await d.press("j")
        assert "! The lock file on disk is no longer what was read" in d.text
        await d.press("r")
        await d.settle()
        assert "no longer what was read" not in d.text
        assert d.review.lock_file.data == programs.disk.data
        assert d.decided(SUSPECT) is Decision.DROP
        programs.disk.data = every_verdict().data
        d.app.watching.look()
        await d.settle()
        programs.disk.data = d.review.lock_file.data
        d.app.watching.look()
        await d.settle()
        await d.press("j")
        assert "no longer what was read" not in d.text, "it came back"

    drive(with_programs(programs), scenario)


def test_an_address_is_opened_or_chosen_and_copied_where_nothing_opens_it() -> None:
    programs = Programs(Disk(every_verdict().data))

    async def scenario(d: Driver) -> None:
        disowned = links_of(d.provider, d.row)
        assert d.row.verdict is Verdict.DISOWNED
        assert "SHA256SUMS" in dict(disowned), "the list that it is not in"
        await d.press("n", "G", "o")
        await d.settle()
        if d.shows(LinksScreen):
            assert "SHA256SUMS" in d.text
            await d.press("enter")
            await d.settle()
        assert len(programs.opened) == 1
        assert programs.opened[0].startswith("https://")
        programs.refusal = ToolError("no program opens a browser here")
        await d.press("o", "enter")
        await d.until(lambda: d.app.clipboard == programs.opened[0])
        assert "copied instead: https://" in d.prose
        await d.press("enter", "pagedown")
        links = {(style.link or "").partition("/widget")[0] for style in d.styles("https://")}
        assert any(each.startswith("https://") for each in links)
        for style in d.styles("https://"):
            assert not style.link or f"\x1b]8;id={style.link_id};{style.link}\x1b" in style.render("x")

    drive(with_programs(programs), scenario, size=(160, 40))


def test_the_review_is_exported_with_its_decisions_to_a_file_that_is_not_there_yet() -> None:
    kept = MemoryKeeper()
    programs = Programs(Disk(every_verdict().data))

    async def scenario(d: Driver) -> None:
        await d.press("space", "E")
        assert d.shows(ExportScreen)
        await d.fill("review.txt")
        await d.press("enter")
        assert "let the name end with .md, .json, .html" in d.text
        await d.fill("review.json")
        await d.press("enter")
        await d.settle()
        assert "written: review.json" in d.lines[-1]
        ((path, data),) = kept.new_files.items()
        assert path == Path.cwd() / "review.json"
        report = json.loads(data)
        assert report["lock_files"][0]["path"] == "infra/prod/.terraform.lock.hcl"
        assert f'"hash": "{PLANTED.text}"' in data.decode()

    drive(with_programs(programs, kept), scenario)


def test_all_files_are_exported_from_their_list() -> None:
    kept = MemoryKeeper()
    a, b = Path("a/.terraform.lock.hcl"), Path("b/.terraform.lock.hcl")

    async def scenario(d: Driver) -> None:
        await d.press("E")
        await d.press("enter")
        await d.settle()
        (text,) = kept.new_files.values()
        assert b"a/.terraform.lock.hcl" in text
        assert b"Cannot be read**: there is no lock file at `c/.terraform.lock.hcl`" in text

    disk = FilesOnDisk({a: of(NULL_ENTRY), b: of(NULL_ENTRY)})
    drive(files_app(disk, keeper=kept, missing=(Path("c/.terraform.lock.hcl"),)), scenario)


def test_of_a_pasted_text_the_first_line_is_taken_and_the_others_are_told() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("s")
        for place in ("beside the line", "in the line"):
            d.app.post_message(events.Paste("\n  https://one.example.test/ \nhttps://two.example.test/\n\nthree\n"))
            await d.handled()
            assert isinstance(d.screen.focused, Input), place
            assert d.screen.focused.value == "https://one.example.test/"
            assert "3 lines were pasted, and only the first was taken" in d.lines[-1]
            await d.fill("")
            await d.press("i")
            await d.fill("")
        await d.press("escape", "escape")
        for opened in (("slash",), ("E",), ("n", "R")):
            await d.press(*opened)
            await d.until(lambda: isinstance(d.screen.focused, Input))
            await d.fill("")
            d.app.post_message(events.Paste("one\n\ntwo\n"))
            await d.handled()
            assert isinstance(d.screen.focused, Input), opened
            assert d.screen.focused.value == "one", opened
            assert d.review_screen.query_one(KeyLine).render().plain.startswith("2 lines were pasted, and only"), opened
            await d.press("escape")

    drive(app_of(every_verdict()), scenario)


def test_letters_that_are_typed_one_after_another_are_text_and_one_alone_is_a_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(typing_ahead, "_TYPED_ON", 60)
    app = app_of(every_verdict())

    async def scenario(d: Driver) -> None:
        await d.press("s")
        app.reaction = 60
        await d.press(*"registry")
        assert d.screen.query_one("#new-source").value == "registry"  # type: ignore[attr-defined]
        await d.press("escape")
        app.reaction = 0.01
        await d.press("i")
        await d.until(lambda: getattr(d.screen.focused, "id", "") == "new-source")

    drive(app, scenario)


def test_what_is_typed_faster_than_a_line_gets_the_focus_is_text_whole_and_in_order() -> None:
    async def typed(d: Driver, opens: tuple[str, ...], text: str) -> None:
        d.hit(*opens, *text)
        await d.until(lambda: isinstance(d.screen.focused, Input))
        await d.handled()
        assert isinstance(d.screen.focused, Input)
        assert d.screen.focused.value == text
        await d.fill("")
        await d.press("escape")

    async def scenario(d: Driver) -> None:
        for text in ("gauge decides", "!verdict:new"):
            await typed(d, ("slash",), text)
        await typed(d, ("E",), "axe.html")
        await d.press("n")
        await typed(d, ("R",), "built here, x")
        await d.press("s")
        for text in ("https://mirror.example.test/providers/", "oci://registry.example.test/{namespace}/{type}?"):
            await typed(d, (), text)
        await typed(d, ("i",), "direct")
        # Letters alone are keys again.
        await d.press("j", "x")
        assert d.screen.query_one("#new-source", Input).value == ""

    drive(app_of(every_verdict()), scenario)
