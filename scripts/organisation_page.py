"""Makes the page about many repositories on the demo's provider world, and a picture of it with Chromium.

organisation_page.py FOLDER   write organisation.html and organisation.png there
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from shutil import which
from typing import Final

from lockwarden.cli import demo
from lockwarden.cli.organisation import in_form
from lockwarden.cli.surroundings import clock
from lockwarden.core.engine.many_files import audit_files
from lockwarden.core.engine.organisation.committed_lock_files import HEAD, LockFileReader, StateReader
from lockwarden.core.engine.organisation.committed_standards import OrganisationPolicy
from lockwarden.core.engine.organisation.places import places_of
from lockwarden.core.engine.organisation.run import put_together, read_all, ready, to_audit
from lockwarden.core.evidence.events import ignore
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import OrganisationTables
from lockwarden.demo.building import DemoWorld, build
from lockwarden.demo.lockfile import NAME, LockEntry, lock_text

_TEAMS: Final = ("checkout", "identity", "ledger", "mobile", "platform", "search")
_ODD: Final = frozenset(("compass", "gauge", "kiln", "ledger"))
"""The demo's providers of which something is wrong."""
_SIZE: Final = "1280,1100"
_WHO: Final = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.test", "-c", "commit.gpgSign=false")


def clones(folder: Path, world: DemoWorld) -> None:
    """Repositories of some teams, most of which lock what is right, half a clone, and a link."""
    right = [each.lock for each in world.stories if each.address.rpartition("/")[2] not in _ODD]
    odd = [each.lock for each in world.stories if each.lock not in right]
    first, alone = right[0], right.pop()
    for place, team in enumerate(_TEAMS):
        for number in range(4):
            entries = [right[(place + number + step) % len(right)] for step in range(3)]
            if number == 0:
                entries.append(odd[place % len(odd)])
            _repository(folder / team / f"service-{number + 1}", entries)
    _repository(folder / "platform" / "modules", [*right[:2], *odd[2:4]])
    _repository(folder / "search" / "sandbox", [replace(first, hashes=first.hashes[:1]), alone])
    _repository(folder / "docs", [])
    _repository(folder / "mobile" / "half-cloned", right[:1])
    (folder / "mobile" / "half-cloned" / ".git" / "HEAD").write_text("", encoding="ascii")
    (folder / "mobile" / "elsewhere").symlink_to("/srv")


def result_of(folder: Path, world: DemoWorld) -> OrganisationResult:
    """What the run over a folder of clones finds in the demo's world."""
    place, options = demo.demo_runtime(world, latency=0.0), demo.options_for(world)
    policy = OrganisationPolicy(None)
    files = LockFileReader(place.second_reader, None)
    reader = StateReader(environ=place.environ, files=files, policy=policy, now=place.now())
    places = places_of((folder.name,), directory=folder.parent)
    states = ready(read_all(places, reader), today=place.now().astimezone(UTC).date(), seen=None)
    run = asyncio.run(audit_files(to_audit(states), options, place, ignore))
    return put_together(states, run, policy_files=policy.files, standards_at=HEAD)


def _repository(folder: Path, entries: Iterable[LockEntry]) -> None:
    folder.mkdir(parents=True)
    _git(folder, "init", "--quiet", "--template=", "--initial-branch=main")
    listed = {each.address: each for each in entries}.values()
    (folder / "README").write_text("made for a picture\n", encoding="ascii")
    if listed:
        (folder / "infra").mkdir()
        (folder / "infra" / NAME).write_text(lock_text(listed), encoding="utf-8")
    _git(folder, "add", "--all")
    _git(folder, *_WHO, "commit", "--quiet", "--message", "as it is")


def _git(folder: Path, *words: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True)  # noqa: S607


def picture(page: Path, target: Path) -> None:
    """Have Chromium draw the top of the page. It has no network and no profile that stays."""
    program = which("chromium") or which("chromium-browser") or which("google-chrome")
    if program is None:
        sys.exit("chromium is not installed, so there is no picture of the page")
    with tempfile.TemporaryDirectory(prefix="lockwarden-chromium-") as profile:
        words = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        shot = [f"--screenshot={target}", f"--window-size={_SIZE}", page.as_uri()]
        subprocess.run([program, *words, *shot], check=True, capture_output=True)


def main() -> None:
    """Write the page, and its picture, into the folder that is named on the command line."""
    target = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="lockwarden-page-") as name:
        top = Path(name)
        world = build(top / "demo", now=clock())
        folder = top / "clones"
        clones(folder, world)
        page = top / "organisation.html"
        page.write_text(
            in_form(OrganisationTables(result=result_of(folder, world)), "html", made=clock()), encoding="utf-8"
        )
        if "--keep" in sys.argv:
            (target / page.name).write_bytes(page.read_bytes())
        picture(page, target / "organisation.png")


if __name__ == "__main__":
    main()
