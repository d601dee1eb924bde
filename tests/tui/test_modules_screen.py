"""The screen of modules, pressed: what it lists, asking, accepting and pinning after a look, and its other faces."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.git_commands import git
from fakes.lock_files import every_verdict
from fakes.many_files import files_app, repository
from fakes.modules import DIGEST, FIRST, GIT, LOCK, MAIN, OCI, SECOND, Meanings, configuration, modules_app
from msgspec.structs import replace

from lockwarden.core.engine.module_resolving import Told
from lockwarden.core.modules.listing import ModuleListing
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE, FileDiffScreen
from lockwarden.tui.screens.files import FilesScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.modules import ModulesScreen
from lockwarden.tui.screens.review import ReviewScreen

SECRET = 'module "secret" {\n  source = "https://ada:s3cret@example.test/vpc.zip"\n}\n'


async def opened(d: Driver, *keys: str) -> None:
    await d.press("M")
    await d.settle()
    await d.press(*keys)
    await d.settle()


def key_of(d: Driver) -> str:
    call = d.app.modules.call
    return "" if call is None else call.key


def lock_in(folder: Path) -> Path:
    return folder.parents[1] / ".lockwarden" / "modules.hcl"


def test_it_lists_every_call_with_its_place_and_its_class(tmp_path: Path) -> None:
    folder = configuration(tmp_path, main=MAIN + SECRET)

    async def scenario(d: Driver) -> None:
        await opened(d)
        assert d.shows(ModulesScreen)
        assert "5 module calls" in d.text
        assert "▲ network  named, mutable, git" in d.text
        assert f"Accepted            {SECOND}" in d.text
        assert "by Grace <grace@example.test> on 2026-05-01" in d.text
        assert "not asked yet: r asks" in d.text
        await d.press("j", "j")
        assert key_of(d) == "bucket"
        assert "Version             ~> 3.0" in d.text
        assert "the module lock has no entry for it" in d.prose
        await d.press("G")
        assert "https://(secret)@example.test/vpc.zip" in d.text
        assert "s3cret" not in d.text
        await d.press("question_mark")
        assert d.shows(HelpScreen)
        assert "On the screen of modules" in d.lines[2]
        await d.press("escape", "n")
        assert key_of(d) == "cluster"
        await d.press("N")
        assert key_of(d) == "secret"
        await d.press("escape")
        assert d.shows(ReviewScreen)

    drive(modules_app(folder), scenario, size=(120, 40))


def test_asking_shows_how_far_it_is_and_esc_gives_it_up(tmp_path: Path) -> None:
    files = Meanings(held=True)

    async def scenario(d: Driver) -> None:
        await opened(d)
        d.hit("r")
        await d.until_shown("asked 1 of 3", "being asked")
        await d.press("r")
        assert "the sources are being asked; esc cancels it" in d.lines[-1]
        await d.press("escape")
        await d.settle()
        assert d.shows(ModulesScreen)
        assert "cancelled; r asks again" in d.lines[-1]
        assert "not asked yet" in d.text
        files.gate.set()
        await d.press("r")
        await d.settle()
        assert f"Today               {FIRST}" in d.text
        assert f"{SECOND} when it was locked, {FIRST} today" in d.prose
        assert "✗ module moved" in d.text
        await d.press("j")
        assert f"package{DIGEST}" in "".join(d.prose.split())
        await d.press("j")
        assert "what it means today is not known: the registry hangs" in d.prose

    drive(modules_app(configuration(tmp_path), files), scenario, size=(120, 40))


def test_leaving_gives_the_asking_up(tmp_path: Path) -> None:
    async def scenario(d: Driver) -> None:
        await opened(d)
        d.hit("r")
        await d.until_shown("asked 1 of 3")
        await d.press("q")
        await d.settle()
        assert d.shows(ReviewScreen)
        assert d.app.modules.asking is None

    drive(modules_app(configuration(tmp_path), Meanings(held=True)), scenario)


def test_a_moved_source_is_accepted_alone_after_a_look_at_the_difference(tmp_path: Path) -> None:
    folder = configuration(tmp_path)

    async def scenario(d: Driver) -> None:
        await opened(d, "a")
        assert "nobody asked what its source means today; r asks" in d.lines[-1]
        await opened_again(d, "r")
        d.hit("A")
        await d.reach(FileDiffScreen)
        assert "1 source accepted as it is" in d.prose
        assert "network" not in d.prose.partition("nobody has compared")[0]
        await d.press("enter")
        await d.settle()
        assert lock_in(folder).read_text() == LOCK
        d.hit("a")
        await d.reach(FileDiffScreen)
        assert f"network meant {SECOND} when it was accepted, and means {FIRST} today" in d.prose
        assert "in the place of what was accepted before" in d.prose
        assert f'- revision = "{SECOND}"' in d.prose
        assert f'+ revision = "{FIRST}"' in d.prose
        await d.press("right", "enter")
        await d.settle()
        assert "written: modules.hcl" in d.lines[-1]
        assert lock_in(folder).read_text() == LOCK.replace(SECOND, FIRST).replace(
            "Grace <grace@example.test>", "Ada Example <ada@example.test>"
        ).replace("2026-05-01T08", "2026-06-01T12")
        assert "✓ means what was accepted" in d.text
        await d.press("a")
        assert "it is accepted as it is" in d.lines[-1]

    drive(modules_app(folder), scenario, size=(120, 40))


def test_what_is_new_in_a_moved_module_is_shown_file_by_file(tmp_path: Path) -> None:
    files = Meanings()

    async def scenario(d: Driver) -> None:
        await opened(d, "d")
        assert "nobody knows that its source means something else" in d.lines[-1]
        await d.press("r")
        await d.settle()
        files.held = True
        d.hit("d")
        await d.until_shown("fetching packages")
        await d.press("escape")
        await d.settle()
        assert "cancelled" in d.lines[-1]
        files.gate.set()
        d.hit("d")
        await d.reach(FileDiffScreen)
        await d.settle()
        assert f"accepted: {SECOND}" in d.prose
        assert "changed: main.tf, 10 → 44 bytes" in d.prose
        assert '+ resource "null_resource" "run" {}' in d.prose
        assert "removed: old.tf" in d.prose
        assert "3 files differ, 1 alike" in d.prose
        await d.press("escape")
        files.diff = Unresolved(reason="the repository hangs", hint="try later")
        d.hit("d")
        await d.reach(ConfirmScreen)
        assert "the repository hangs" in d.prose

    drive(modules_app(configuration(tmp_path), files), scenario, size=(120, 40))


async def opened_again(d: Driver, *keys: str) -> None:
    await d.press(*keys)
    await d.settle()


def test_pinning_shows_the_difference_and_writes_one_line(tmp_path: Path) -> None:
    folder = configuration(tmp_path, main=SECRET + MAIN)

    async def scenario(d: Driver) -> None:
        await opened(d, "r", "j", "p")
        assert "something else than what was accepted" in d.lines[-1]
        await d.press("j")
        d.hit("p")
        await d.reach(FileDiffScreen)
        assert f'- source = "{OCI}?tag=2.0"' in d.prose
        assert f'+source="{OCI}?digest={DIGEST}"' in "".join(d.prose.split())
        assert "s3cret" not in d.text
        await d.press("enter")
        await d.settle()
        assert (folder / "main.tf").read_text() == SECRET + MAIN
        d.hit("P")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert (folder / "main.tf").read_text() == SECRET + MAIN.replace("?tag=2.0", f"?digest={DIGEST}")
        assert "written: " in d.lines[-1]
        assert key_of(d) == "cluster"
        assert "✓ immutable, oci" in d.text
        await d.press("p")
        assert "cannot mean anything else as it is" in d.lines[-1]

    drive(modules_app(folder), scenario, size=(120, 40))


def test_what_changed_while_the_difference_was_looked_at_is_not_written(tmp_path: Path) -> None:
    folder = configuration(tmp_path)

    async def scenario(d: Driver) -> None:
        await opened(d, "r", "j")
        d.hit("p")
        await d.reach(FileDiffScreen)
        (folder / "main.tf").write_text(MAIN + "# more\n")
        await d.press("right", "enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "was not written" in d.text
        await d.press("enter")
        assert (folder / "main.tf").read_text() == MAIN + "# more\n"
        d.hit("a")
        await d.reach(FileDiffScreen)
        found = d.app.modules.found
        assert found is not None
        calls = tuple(replace(each, version="9") for each in found.listing.calls)
        d.app.modules = replace(d.app.modules, found=replace(found, listing=replace(found.listing, calls=calls)))
        await d.press("right", "enter")
        await d.settle()
        assert CHANGED_MEANWHILE in d.lines[-1]
        assert lock_in(folder).read_text() == LOCK

    drive(modules_app(folder), scenario, size=(120, 40))


def changed_lock(folder: Path, text: str) -> Path:
    """A real repository whose base has the module lock of `LOCK`, and whose change has this one."""
    root = folder.parents[1]
    (root / ".git").rmdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "config", "user.name", "Ada Example")
    git(root, "config", "user.email", "ada@example.test")
    lock_in(folder).parent.mkdir(exist_ok=True)
    for lock, message in ((LOCK, "Accept"), (text, "Bump")):
        lock_in(folder).write_text(lock)
        (folder / ".terraform.lock.hcl").write_text(f"# {message}\n")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", message)
    return folder


def test_what_a_change_writes_into_the_module_lock_is_told_and_advice_names_keys(tmp_path: Path) -> None:
    added = LOCK.replace(f"{GIT}?ref=v1.2.0", f"{OCI}?tag=2.0").replace(SECOND, DIGEST)
    folder = changed_lock(configuration(tmp_path), LOCK.replace(SECOND, FIRST) + added)

    async def scenario(d: Driver) -> None:
        await opened(d)
        assert "module locked as something else" in d.prose
        assert f"Accepted            {SECOND}" in d.text
        assert "in the module lock of main~1" in d.prose
        assert f"{SECOND} before, {FIRST} with it" in d.prose
        assert "read what is new with d; whoever may merge it past the check accepts it" in d.prose
        await d.press("j")
        assert key_of(d) == "cluster"
        assert "this change locks its source, and whether that is true is not known" in d.prose
        assert "lock it where its source answers: a writes down what it means" in d.prose
        assert "lockwarden modules" not in d.prose
        await d.press("r")
        await d.until(lambda: "which is what it means today" in d.prose)

    drive(modules_app(folder, base="main~1"), scenario, size=(120, 50))


def test_asking_that_has_run_for_a_while_is_cancelled_after_a_question(tmp_path: Path) -> None:
    files = Meanings(held=True)

    async def scenario(d: Driver) -> None:
        await opened(d)
        d.hit("r")
        await d.until_shown("asked 1 of 3", "being asked")
        begun = d.app.module_work.begun_at
        assert begun is not None
        d.app.setup = replace(d.app.setup, now=lambda: begun + timedelta(seconds=6))
        for key, asked in (("escape", "Cancel what is being asked?"), ("q", "Leave, and cancel what is running?")):
            await d.press(key)
            assert asked in d.prose
            await d.press("escape")
            assert d.app.modules.asking is not None
        await d.press("q", "y")
        await d.until(lambda: d.shows(ReviewScreen))
        files.gate.set()

    drive(modules_app(configuration(tmp_path), files), scenario, size=(120, 40))


def test_a_fault_of_our_own_is_told_where_the_person_is(tmp_path: Path) -> None:
    class Broken(Meanings):
        async def resolved(self, listing: ModuleListing, told: Told) -> ModuleListing:
            raise ZeroDivisionError

    async def scenario(d: Driver) -> None:
        await opened(d)
        d.hit("r")
        await d.until_shown("ZeroDivisionError")
        assert isinstance(d.app.screen, ConfirmScreen)

    drive(modules_app(configuration(tmp_path), Broken()), scenario, size=(120, 40))


def test_without_a_base_what_moved_is_accepted_by_a_key(tmp_path: Path) -> None:
    async def scenario(d: Driver) -> None:
        await opened(d, "r")
        assert "find out who moved it and why; d shows what is new, a accepts it as it is today" in d.prose
        await d.press("j")
        assert "when you have looked at it, a adds one" in d.prose

    drive(modules_app(configuration(tmp_path)), scenario, size=(120, 50))


def test_keys_that_do_nothing_say_why(tmp_path: Path) -> None:
    folder = configuration(tmp_path, main='module "a" {\n  source = "./names"\n}\nmodule {\n', lock="")
    (folder / "b.tf").write_text('module "b" {\n  source = "./names"\n}\n')

    async def scenario(d: Driver) -> None:
        await opened(d)
        assert "main.tf:5" in d.text
        assert "What could not be read" in d.text
        for key, why in (
            ("a", "no call is selected"),
            ("p", "no call is selected"),
            ("A", "nothing can be accepted together"),
            ("P", "nothing can be pinned; ask first"),
        ):
            await d.press(key)
            assert why in d.lines[-1]
        await d.press("j", "a")
        assert "part of the package that calls it, so that there is nothing to accept" in d.lines[-1]
        await d.run_from_palette(
            "Ask what all", "Ask what all sources mean today; where nothing could be read, read again"
        )
        await d.until(lambda: "asked: each call says what it means today" in d.lines[-1])

    drive(modules_app(folder), scenario, size=(120, 40))


def test_it_says_that_it_reads_that_there_is_nothing_and_that_something_cannot_be_read(tmp_path: Path) -> None:
    folder, files = configuration(tmp_path, lock="modul {}\n"), Meanings()

    async def scenario(d: Driver) -> None:
        files.may_read.clear()
        await d.press("M")
        assert f"Reading the module calls in {folder}" in "".join(d.prose.splitlines())
        await d.press("a")
        assert "no module call is on the screen" in d.lines[-1]
        files.may_read.set()
        await d.settle()
        assert "The modules cannot be judged" in d.text
        assert "there is no block “modul” here" in d.prose
        lock_in(folder).unlink()
        (folder / "main.tf").write_text("# nothing\n")
        await d.press("r")
        await d.settle()
        assert "calls no module" in d.prose
        (folder / "main.tf").write_text(MAIN)
        await d.press("r")
        await d.settle()
        assert "4 module calls" in d.text
        await d.press("j")
        assert key_of(d) == "cluster"

    drive(modules_app(folder, files), scenario, size=(160, 40))


def test_the_list_of_lock_files_opens_them_for_the_selected_file() -> None:
    app = files_app(repository())
    app.setup = replace(app.setup, modules=Meanings())

    async def scenario(d: Driver) -> None:
        folder = d.app.files.current.parent
        await opened(d)
        assert d.shows(ModulesScreen)
        assert f"there is no folder “{folder}”" in d.prose
        await d.press("escape")
        assert d.shows(FilesScreen)

    drive(app, scenario, size=(140, 40))


def test_without_a_configuration_the_key_says_so() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("M")
        assert d.shows(ReviewScreen)
        assert "there is no configuration here to look at" in d.lines[-1]

    drive(app_of(every_verdict()), scenario)


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20)])
def test_hostile_text_is_inert(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = configuration(tmp_path, main=f'module "m[/b]" {{\n  source = "{OCI}//[@click=app.quit]x[/]?tag=2.0"\n}}\n')
    (folder / "x[$error @click=app.quit].tf").write_text("module {")
    raw, files = "\x1b]0;owned\x07\u202e[/b][@click=app.quit]x[/]", Meanings()
    source = f"{OCI}//[@click=app.quit]x[/]?tag=2.0"
    files.meanings = {source: Resolved(revision=DIGEST, how=raw, pinned=source.replace("tag=2.0", f"digest={DIGEST}"))}

    async def scenario(d: Driver) -> None:
        await opened(d)
        for keys in ((), ("j",), ("r",), ("l",), ("p",)):
            d.hit(*keys)
            await d.handled()
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", d.text)
            assert not [text for text, meta in d.segments if "@click" in meta]
        await d.reach(FileDiffScreen)
        assert "[@click=app.quit]x[/]" in "".join(d.prose.split())

    drive(modules_app(folder, files), scenario, size=size)
