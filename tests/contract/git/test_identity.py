"""Who git says is at the keyboard."""

from __future__ import annotations

from pathlib import Path

from contract.git.repositories import Home, Work

from lockwarden.core.git.identity import identity


def test_the_identity_is_the_one_that_a_commit_would_have(home: Home, work: Work) -> None:
    assert identity(work.folder, work.environ) == "Ada Example <ada@example.test>"
    work.commit()
    assert identity(work.folder, work.environ) == work.git("log", "-1", "--format=%an <%ae>")
    given = {**work.environ, "GIT_AUTHOR_NAME": "Bo", "GIT_AUTHOR_EMAIL": "bo@example.test"}
    assert identity(work.folder, given) == "Bo <bo@example.test>"


def test_outside_a_repository_the_operators_own_settings_count(home: Home) -> None:
    assert identity(home.folder, home.environ) == ""
    home.at(home.folder).git("config", "--global", "user.email", "op@example.test")
    assert identity(home.folder, home.environ) == ""
    home.at(home.folder).git("config", "--global", "user.name", "Größe")
    assert identity(home.folder, home.environ) == "Größe <op@example.test>"


def test_an_identity_is_safe_to_show_and_short(work: Work) -> None:
    work.git("config", "user.name", "Eve \x1b[31m\u202e\t" + "x" * 1000)
    known = identity(work.folder, work.environ)
    assert known.startswith("Eve <U+001B>[31m<U+202E>")
    assert known.isprintable()
    assert len(known) == 300


def test_an_identity_that_cannot_be_had_is_empty(home: Home, work: Work) -> None:
    assert identity(work.folder, {"PATH": ""}) == ""
    assert identity(home.folder / "nowhere", home.environ) == ""
    (work.folder / ".git" / "config").write_text("[broken", encoding="utf-8")
    assert identity(work.folder, work.environ) == ""
    assert identity(Path("/"), {**home.environ, "GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": ""}) == ""
