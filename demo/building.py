"""Builds the demo's world in a folder: servers as a value, mirror folders and a lock file on disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from lockwarden.demo import lock_stories, signing_stories, source_stories
from lockwarden.demo.cast import GpgNotary, Notary, Record
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.lockfile import NAME, lock_text
from lockwarden.demo.mirrors import network_mirror_site, write_packed, write_unpacked
from lockwarden.demo.releases import registry_sites
from lockwarden.demo.story import Story
from lockwarden.demo.world import World

MIRROR_URL: Final = "https://mirror.example.test/"
RECORD: Final = "signatures.json"
"""Public keys and signatures of the last time; a folder that has it gives the same world again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoWorld:
    """Everything that the demo shows."""

    folder: Path
    lock_file: Path
    mirror_url: str
    """Base URL of the network mirror, which `world` serves."""
    filesystem_mirror: Path
    """A mirror folder in the packed layout."""
    unpacked_mirror: Path
    """The same packages in the unpacked layout."""
    world: World
    stories: tuple[Story, ...]


def build(folder: Path, *, now: datetime) -> DemoWorld:
    """Build the world in `folder`, which is made where it is missing. Blocks for a second or two.

    Keys and signatures are new, with times before `now`, unless the folder still has the record of an earlier world.
    The lock file is written anew in any case. Raises ToolError when gpg is missing or fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stories = _recorded_stories(folder / RECORD) or _new_stories(folder / RECORD, now=now)
    packed, unpacked = folder / "mirror", folder / "mirror-unpacked"
    mirrored = [story.in_folders for story in stories if story.in_folders is not None]
    write_packed(packed, mirrored)
    write_unpacked(unpacked, mirrored)
    lock_file = folder / "infra" / NAME
    lock_file.parent.mkdir(exist_ok=True)
    lock_file.write_text(lock_text(story.lock for story in stories), encoding="utf-8", newline="\n")
    return DemoWorld(
        folder=folder,
        lock_file=lock_file,
        mirror_url=MIRROR_URL,
        filesystem_mirror=packed,
        unpacked_mirror=unpacked,
        world=world_of(stories),
        stories=stories,
    )


def world_of(stories: Iterable[Story]) -> World:
    """The registries and the network mirror of some stories."""
    stories = tuple(stories)
    mirrored = [story.mirrored for story in stories if story.mirrored is not None]
    answers = ((story.release.host, story.answers) for story in stories)
    releases = tuple(story.release for story in stories)
    return World.of([*registry_sites(releases), network_mirror_site(MIRROR_URL, mirrored), *answers])


def _recorded_stories(record_file: Path) -> tuple[Story, ...] | None:
    try:
        return _told_by(Record.from_json(record_file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError):
        # No record, or one of another edition of the demo: new signatures replace it.
        return None


def _new_stories(record_file: Path, *, now: datetime) -> tuple[Story, ...]:
    with KeyMaker() as maker:
        notary = GpgNotary(maker, now)
        stories = _told_by(notary)
    unfinished = record_file.with_suffix(".new")
    unfinished.write_text(notary.record.to_json(), encoding="utf-8")
    unfinished.replace(record_file)
    return stories


def _told_by(notary: Notary) -> tuple[Story, ...]:
    """Make every story, with signatures by `notary`. The same signatures give the same world to the byte."""
    makers = (*signing_stories.STORIES, *source_stories.STORIES, *lock_stories.STORIES)
    return tuple(make(notary) for make in makers)
