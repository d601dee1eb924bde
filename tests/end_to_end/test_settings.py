"""The user's settings: where audits ask, told in every report; never those of the repository under review."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from builders.three_providers import MIRROR
from fakes.git_commands import git
from servers.https import HttpsServer
from servers.installed import PATIENCE, Lockwarden

OFFLINE = ("check", "--offline", "--no-cache")
LIGHT = b"48;2;244;245;250"
"""The background of the light theme."""


@pytest.fixture
def settings(lockwarden: Lockwarden) -> Path:
    """Where the settings belong."""
    file = Path(lockwarden.environment["XDG_CONFIG_HOME"]) / "lockwarden" / "settings.toml"
    file.parent.mkdir(parents=True)
    return file


def test_sources_and_platforms_of_the_settings_are_told_in_every_form(
    lockwarden: Lockwarden, folder: Path, settings: Path
) -> None:
    settings.write_text('sources = ["direct"]\nplatforms = ["linux_amd64"]\n')
    digest = hashlib.sha256(settings.read_bytes()).hexdigest()
    told = f"the sources and platforms are those of the user's settings, {settings} (sha256:{digest})"
    reports = [f"--report={form}:{folder}/report.{form}" for form in ("json", "markdown", "sarif", "junit")]
    text = lockwarden.run(*OFFLINE, *reports, folder=folder, expected=3).out
    assert told in text
    for form in ("json", "markdown", "sarif", "junit"):
        assert digest in (folder / f"report.{form}").read_text(), form

    used = lockwarden.run(*OFFLINE, "--source=direct", "--format=json", folder=folder, expected=3).report
    assert used["configuration"]["settings"] == {
        "path": str(settings),
        "digest": f"sha256:{digest}",
        "sources": False,
        "platforms": True,
    }
    named = ("--source=direct", "--platform=linux_amd64", "--format=json")
    assert "settings" not in lockwarden.run(*OFFLINE, *named, folder=folder, expected=3).report["configuration"]


def test_a_bundle_is_made_of_the_sources_of_the_settings_and_brings_them_along(
    lockwarden: Lockwarden, served: HttpsServer, folder: Path, settings: Path, tmp_path: Path
) -> None:
    settings.write_text(f'sources = ["direct", "{MIRROR}"]\n')
    bundle, checked = tmp_path / "made.bundle", ("check", "--format=json", "--evidence")
    lockwarden.run("bundle", "-o", bundle, folder=folder, expected=0)
    settings.write_text('sources = ["direct"]\nplatforms = ["linux_arm"]\n')
    done = lockwarden.run(*checked, bundle, folder=folder, expected=3)
    assert [each["id"] for each in done.report["sources"]] == ["direct", "mirror.example.test"]
    assert done.report["configuration"] is None, "neither these sources nor the platforms are those of the settings"
    settings.write_text("source = []\n")
    assert f"{settings}:1: error: " in lockwarden.run("bundle", "-o", bundle, folder=folder, expected=2).err


def test_what_is_wrong_with_the_settings_ends_any_command(lockwarden: Lockwarden, folder: Path, settings: Path) -> None:
    settings.write_text("# mine\nsource = []\n")
    ended = lockwarden.run(*OFFLINE, folder=folder, expected=2)
    assert ended.err.startswith(
        f"{settings}:2: error: source: there is no such setting\n  hint: did you mean sources?\n"
    )
    settings.write_text('theme = "lite"\n[keys]\n"review.write" = "space"\n')
    ended = lockwarden.run("settings", "--path", folder=folder, expected=2)
    assert ended.err == f"{settings}:1: error: theme: there is no theme “lite”\n  hint: did you mean light?\n"
    settings.write_text('[keys]\n"review.write" = "space"\n')
    ended = lockwarden.run("settings", "--path", folder=folder, expected=2)
    assert ended.err.startswith(f"{settings}:2: error: keys.review.write: space is that of review.decide as well")
    assert (ended.out, lockwarden.run("settings", folder=folder).out[:14]) == (f"{settings}\n", "# The settings")


@pytest.mark.parametrize("how", ["in it", "by a link"])
def test_settings_in_the_repository_under_review_do_not_count(
    lockwarden: Lockwarden, folder: Path, settings: Path, how: str
) -> None:
    git(folder, "init", "--quiet")
    inside = folder / "lockwarden"
    inside.mkdir()
    (inside / "settings.toml").write_text("source = []\n")
    if how == "by a link":
        settings.symlink_to(inside / "settings.toml")
        extra = {}
    else:
        extra = {"XDG_CONFIG_HOME": str(folder)}
    ended = lockwarden.run(*OFFLINE, folder=folder, expected=3, **extra)
    assert "do not count: they lie in the working tree, which the change under review can write" in ended.err
    assert "user's settings" not in ended.out


def test_the_theme_is_the_one_that_fits_what_the_terminal_tells_or_that_was_chosen(
    lockwarden: Lockwarden, folder: Path, settings: Path
) -> None:
    words = ("--offline", "--no-cache")
    answer = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
    # Nobody waits for the answer, so it has to be there.
    with lockwarden.in_terminal(*words, folder=folder, typed=answer, COLORTERM="truecolor") as terminal:
        terminal.wait_for(LIGHT, seconds=PATIENCE)
        assert b"\x1b]11;?\x1b\\" in terminal.shown
        terminal.press(answer.replace(b"ffff", b"0000") + b"q")  # too late, and no keys
        assert terminal.process.wait(timeout=PATIENCE) == 3
    settings.write_text('theme = "dark"\n')
    light = (*words, "--theme=light")
    with lockwarden.in_terminal(*light, folder=folder, COLORTERM="truecolor", LOCKWARDEN_THEME="nord") as terminal:
        terminal.wait_for(LIGHT, seconds=PATIENCE)
        assert b"\x1b]11;?" not in terminal.shown
