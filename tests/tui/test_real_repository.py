"""The flows of the screens on a real repository: git, the policy and the approvals are files on the disk."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from builders.reading import SECOND_READER, read
from fakes.driving import Driver, drive
from fakes.git_commands import git
from fakes.lock_files import MADE_UP
from fakes.pull_request import ANVIL, BUILDS, GAUGE, KILN, POLICY, base, changed, earlier
from fakes.running import AUTO, LINUX, SOURCES, PreparedAudit, no_list, parse_source
from msgspec.structs import replace

from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.state.ports import ReviewSetup

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def repository(folder: Path) -> Path:
    """The lock file before the change in one commit and the change in the next; gives the lock file."""
    lock_file = folder / "infra" / ".terraform.lock.hcl"
    lock_file.parent.mkdir()
    (folder / ".lockwarden.hcl").write_bytes(POLICY)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ada Example")
    git(folder, "config", "user.email", "ada@example.test")
    for data, message in ((base().data, "Pin the providers"), (changed().data, "Bump providers")):
        lock_file.write_bytes(data)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", message)
    return lock_file


def keeper_of(lock_file: Path) -> StandardsFinder:
    """The keeper that the command has."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(lock_file.parent.parent)}
    return StandardsFinder(environ=environ, directory=lock_file.parent, now=lambda: NOW, second_reader=SECOND_READER)


def real_app(lock_file: Path) -> LockwardenApp:
    """The app with a keeper of real files; only what sources say is prepared."""
    setup = ReviewSetup(
        paths=(lock_file,),
        load=read,
        save=save,
        audit=PreparedAudit(changed().audits, earlier=earlier()),
        sources=SOURCES,
        platforms=AUTO,
        settings_for=lambda lock: ClientSettings(client=lock.client),
        parse_source=parse_source,
        list_repositories=no_list,
        store=keeper_of(lock_file),
        current_platform=LINUX,
        now=lambda: NOW,
        reaction=0,
        second_reader=SECOND_READER,
    )
    app = LockwardenApp(setup)
    app.animation_level = "none"
    return app


def test_a_base_is_chosen_an_approval_is_recorded_and_the_record_holds_once_the_base_has_it(tmp_path: Path) -> None:
    lock_file = repository(tmp_path)
    record = tmp_path / ".lockwarden" / "approvals.hcl"

    async def scenario(d: Driver) -> None:
        assert not d.review.standards.has_base
        await d.press("b")
        await d.settle()
        assert "Bump providers" in d.text
        await d.press("tab")
        await d.fill("HEAD~1")
        await d.press("enter")
        await d.settle()
        assert "against HEAD~1" in d.lines[0]
        assert d.provider.address == KILN.address
        assert any(row.moved == "removed" for row in d.review.provider(GAUGE.address).rows)
        await d.press("h", "j", "j", "l")
        assert d.row.hash == MADE_UP
        await d.press("R")
        await d.settle()
        await d.fill("ours")
        await d.press("enter", "enter")
        await d.reach(FileDiffScreen)
        assert not record.exists()
        await d.press("right", "enter")
        await d.settle()
        text = record.read_text()
        assert f'hashes    = ["{MADE_UP.text}"]' in text
        assert 'by        = "Ada Example <ada@example.test>"' in text
        assert d.review.provider(ANVIL.address).approved == 0
        await d.press("i")
        await d.until_shown("this change adds the approvals .lockwarden/approvals.hcl")

    drive(real_app(lock_file), scenario)
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "Approve")

    again = keeper_of(lock_file).standards(read(lock_file), base="HEAD")
    anvil = changed().lock_file().provider(ANVIL.address)
    assert anvil is not None
    assert not again.problems, "the record is as it was at HEAD"
    assert again.approval(anvil, MADE_UP, frozenset()) is not None


def test_a_trusted_key_is_on_the_disk_and_what_was_written_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    lock_file = repository(tmp_path)
    policy = tmp_path / ".lockwarden.hcl"

    async def scenario(d: Driver) -> None:
        await d.press("K", "j", "t", "tab", "right", "enter")
        await d.reach(FileDiffScreen)
        assert str(policy) in "".join(d.prose.split())
        await d.press("right", "enter")
        await d.settle()
        written = policy.read_bytes()
        assert written.startswith(POLICY)
        assert f'signing_key "{BUILDS}"'.encode() in written
        assert d.review.standards.policy.keys_for(ANVIL.address)
        # Somebody else writes while the next rule is looked at.
        await d.press("home", "t", "tab", "right", "enter")
        await d.reach(FileDiffScreen)
        policy.write_bytes(POLICY)
        await d.press("right", "enter")
        await d.settle()
        assert "was changed since it was read" in d.prose
        assert policy.read_bytes() == POLICY

    drive(real_app(lock_file), scenario, size=(100, 36))


def test_with_a_base_that_names_another_client_the_file_is_judged_by_that_ones_rules(tmp_path: Path) -> None:
    lock_file = repository(tmp_path)
    lock_file.write_bytes(lock_file.read_bytes().replace(b'"tofu init"', b'"terraform init"'))

    async def scenario(d: Driver) -> None:
        assert d.review.lock_file.client is Client.TERRAFORM
        await d.press("b")
        await d.settle()
        await d.press("tab")
        await d.fill("HEAD")
        await d.press("enter")
        await d.settle()
        assert d.review.lock_file.client is Client.OPENTOFU
        assert d.review.settings.client is Client.OPENTOFU
        await d.press("i")
        await d.until_shown("the comment at the top names Terraform and named OpenTofu at HEAD")

    drive(real_app(lock_file), scenario)


def test_outside_of_a_repository_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    lock_file = tmp_path / ".terraform.lock.hcl"
    lock_file.write_bytes(changed().data)

    async def scenario(d: Driver) -> None:
        await d.press("b")
        await d.settle()
        assert "is in no git repository" in d.prose

    drive(real_app(lock_file), scenario, size=(80, 24))


def test_hashes_that_another_file_locks_for_another_version_are_told_with_a_base_that_is_chosen(tmp_path: Path) -> None:
    lock_file = repository(tmp_path)
    beside = tmp_path / "beside" / lock_file.name
    beside.parent.mkdir()
    version = f'"{GAUGE.version}"'.encode()
    beside.write_bytes(changed().data.replace(version, b'"99.0.0"'))
    app = real_app(lock_file)
    app.setup = replace(app.setup, paths=(beside, lock_file))
    app = LockwardenApp(replace(app.setup, audit=PreparedAudit(())))
    app.animation_level = "none"

    async def scenario(d: Driver) -> None:
        await d.settle()
        await d.press("enter")
        await d.settle()
        tie = f"also of {GAUGE.version}, as locked in {lock_file}: only one of the two can be right"
        for chosen, told in (("", tie), ("HEAD", f"belongs to {GAUGE.version}, as locked in the history of HEAD")):
            assert d.review.standards.has_base is bool(chosen)
            provider = d.review.provider(GAUGE.address)
            assert "hashes-of-another-version" in {each.code for each in provider.problems}
            assert told in {str(row.reasons[0]) for row in provider.rows}
            await d.press("b", "tab")
            await d.fill("HEAD")
            await d.press("enter")
            await d.settle()

    drive(app, scenario)
