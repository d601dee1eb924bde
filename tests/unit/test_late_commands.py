"""The commands that are made when they are asked for are those that the list of names says."""

from __future__ import annotations

import click
import pytest

from lockwarden.cli.late_commands import LateCommands
from lockwarden.cli.main import lockwarden


def test_every_name_leads_to_the_command_of_that_name() -> None:
    assert {name: command.name for name, command in lockwarden.commands.items()} == {
        name: name for name in lockwarden.commands
    }
    assert len(lockwarden.commands) == len(set(lockwarden.commands)) > 20


def test_every_command_has_color_once_and_nothing_is_made_twice() -> None:
    for name, command in lockwarden.commands.items():
        assert [each.name for each in command.params].count("color") == 1, name
        assert lockwarden.commands[name] is command


def test_neighbours_are_made_together_and_strangers_not_at_all() -> None:
    made: list[str] = []

    def pair() -> tuple[click.Command, ...]:
        made.append("pair")
        return click.Command("one"), click.Command("two")

    def single() -> tuple[click.Command, ...]:
        made.append("single")
        return (click.Command("three"),)

    finished: list[str | None] = []
    commands = LateCommands(
        {pair: ("one", "two"), single: ("three",)}, finished=lambda all_: finished.extend(each.name for each in all_)
    )
    assert "two" in commands
    assert list(commands) == ["one", "two", "three"]
    assert made == []
    assert commands["two"].name == "two"
    assert commands["one"].name == "one"
    assert made == ["pair"]
    assert finished == ["one", "two"]
    with pytest.raises(KeyError):
        commands["four"]


def test_a_command_that_is_given_replaces_one_and_goes_again() -> None:
    commands = LateCommands({lambda: (click.Command("one"),): ("one",)}, finished=lambda _: None)
    given = click.Command("one")
    commands["one"] = given
    assert commands["one"] is given
    assert len(commands) == 1
    del commands["one"]
    assert list(commands) == []
