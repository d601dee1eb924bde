"""Platforms: what parses, in which order they stand, and which one this machine is."""

from __future__ import annotations

import platform as python_platform

import pytest
from builders.tables import table

from lockwarden.core.values.errors import InvalidPlatformError
from lockwarden.core.values.platforms import Platform, by_popularity, current_platform


@table("text", ["linux_amd64", "windows_386", "plan9_mips", "_amd64", "linux_", "_"])
def test_two_words_around_one_underscore_are_a_platform_whatever_they_say(text: str) -> None:
    assert str(Platform.parse(text)) == text


@table("text", ["", "linux", "linux_amd64_v2", "linux_ amd64", "linux\t_amd64", "linux_amd64\n"])
def test_anything_else_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(InvalidPlatformError) as refused:
        Platform.parse(text)
    assert "linux_amd64" in refused.value.hint


def test_platforms_are_ordered_by_system_and_then_architecture() -> None:
    names = ["windows_386", "darwin_arm64", "linux_arm64", "linux_amd64", "darwin_amd64"]
    assert [str(each) for each in sorted(map(Platform.parse, names))] == [
        "darwin_amd64",
        "darwin_arm64",
        "linux_amd64",
        "linux_arm64",
        "windows_386",
    ]


def test_popular_platforms_come_first_and_the_others_by_name() -> None:
    names = ["solaris_amd64", "darwin_arm64", "aix_ppc64", "linux_amd64"]
    assert [str(each) for each in sorted(map(Platform.parse, names), key=by_popularity)] == [
        "linux_amd64",
        "darwin_arm64",
        "aix_ppc64",
        "solaris_amd64",
    ]


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("Linux", "x86_64", "linux_amd64"),
        ("Darwin", "arm64", "darwin_arm64"),
        ("Windows", "AMD64", "windows_amd64"),
        ("Linux", "aarch64", "linux_arm64"),
        ("OpenBSD", "riscv64", "openbsd_riscv64"),
    ],
)
def test_this_machine_has_a_platform_by_gos_names(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, name: str
) -> None:
    monkeypatch.setattr(python_platform, "system", lambda: system)
    monkeypatch.setattr(python_platform, "machine", lambda: machine)
    assert str(current_platform()) == name
