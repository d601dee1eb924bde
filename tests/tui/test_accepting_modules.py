"""Accepting and pinning module calls on their screen: each change is looked at before it is written."""

from __future__ import annotations

from pathlib import Path

from fakes.driving import Driver, drive
from fakes.git_commands import git
from fakes.modules import (
    DIGEST,
    FIRST,
    GIT,
    LOCK,
    MAIN,
    OCI,
    SECOND,
    Meanings,
    configuration,
    key_of,
    lock_in,
    modules_app,
    opened_modules,
    pressed,
)
from msgspec.structs import replace

from lockwarden.core.modules.resolution import Unresolved
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE, FileDiffScreen

SECRET = 'module "secret" {\n  source = "https://ada:s3cret@example.test/vpc.zip"\n}\n'


def test_a_moved_source_is_accepted_alone_after_a_look_at_the_difference(tmp_path: Path) -> None:
    folder = configuration(tmp_path)

    async def scenario(d: Driver) -> None:
        await opened_modules(d, "a")
        assert "nobody asked what its source means today; r asks" in d.lines[-1]
        await pressed(d, "r")
        assert "find out who moved it and why; d shows what is new, a accepts it as it is today" in d.prose
        await d.press("j")
        assert "when you have looked at it, a adds one" in d.prose
        await d.press("k")
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

    drive(modules_app(folder), scenario, size=(120, 50))


def test_what_is_new_in_a_moved_module_is_shown_file_by_file(tmp_path: Path) -> None:
    files = Meanings()

    async def scenario(d: Driver) -> None:
        await opened_modules(d, "d")
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


def test_pinning_shows_the_difference_and_writes_one_line(tmp_path: Path) -> None:
    folder = configuration(tmp_path, main=SECRET + MAIN)

    async def scenario(d: Driver) -> None:
        await opened_modules(d, "r", "j", "p")
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
        await opened_modules(d, "r", "j")
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
        await opened_modules(d)
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
