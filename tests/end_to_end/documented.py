"""What the documentation shows: commands, what it says they print, and the world that they run in."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from builders.registry_metadata import SAMPLE, SAMPLE_H1, SAMPLE_PATH
from contract.oci.kinds import Shelf
from fakes.git_commands import git
from servers.environment import environment
from servers.installed import Lockwarden

from lockwarden.demo.building import DemoWorld
from lockwarden.demo.lockfile import lock_text
from lockwarden.demo.mirrors import network_mirror_site
from lockwarden.demo.world import Response, Site, World

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
LEFT_OUT: Final = "…"
"""Alone on a line of a sample: any lines. Within a line: any text, such as a time, or a key made for the test."""
NOBODY: Final = "http://127.0.0.1:9"
"""A proxy that is not there, for whatever would ask a real server."""
LOCKED: Final = ("acme/widget", "acme/gauge")
"""The providers of the demo that the examples lock: a release as it should be, and one with planted hashes."""
_BLOCK: Final = re.compile(r"^( *)```(?:console|sh)\n(?P<lines>.*?)^ *```", re.DOTALL | re.MULTILINE)
_STARTED: Final = re.compile(r"(?:^|xargs -0 (?:-r )?|-m )lockwarden(?:\.cli)?\b(?P<rest>.*)")


class Shown(NamedTuple):
    """A command in a page, by its arguments."""

    page: str
    command: str
    sample: tuple[str, ...] = ()
    """What the page says that it prints; empty where it says nothing."""


def shown(page: Path) -> Iterator[Shown]:
    """Every command of the program in a page. In a block with prompts, what follows a command is its output."""
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        lines = [line.removeprefix(block[1]) for line in block["lines"].replace("\\\n", " ").splitlines()]
        prompts = [place for place, line in enumerate(lines) if line.startswith("$ ")]
        for place in prompts or range(len(lines)):
            rest = lines[place + 1 : min((each for each in prompts if each > place), default=len(lines))]
            if command := _command(lines[place].removeprefix("$ ")):
                yield Shown(page.name, command, tuple(rest) if prompts else ())


def _command(line: str) -> str:
    """The arguments that the program is started with: without a comment, and without who reads what it prints."""
    started = _STARTED.search(line)
    return re.sub(r"\s+#.*|\s+\| (?:cat|less)$", "", started["rest"]).strip() if started else ""


def agrees(sample: Sequence[str], printed: str) -> bool:
    """Whether this is what is printed, but for what the sample leaves out."""
    pattern = "".join(
        r"(?:.*\n)*?"
        if line.strip() == LEFT_OUT
        else rf"{'.*'.join(map(re.escape, line.rstrip().split(LEFT_OUT)))} *\n"
        for line in sample
    )
    return re.fullmatch(pattern, printed) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The command, and the repository that the examples stand in."""

    lockwarden: Lockwarden
    repository: Path

    def copy(self, folder: Path) -> Path:
        """The repository once more, for examples that write."""
        return shutil.copytree(self.repository, folder, symlinks=True)


def scene(folder: Path, demo: DemoWorld) -> Scene:
    """Lock files in several folders, `origin/main`, modules, a package, clones, and the command with its own home."""
    home, temporary = folder / "home" / "me", folder / "temporary"
    home.mkdir(parents=True)
    temporary.mkdir()
    extra = {"TMPDIR": str(temporary), "COLUMNS": "120"}
    variables = environment(home, proxy_url=NOBODY, ca_file=Path(), extra=extra)
    # As people have it: the configuration in the home folder, the system's certificates.
    for name in ("TF_CLI_CONFIG_FILE", "SSL_CERT_FILE"):
        del variables[name]
    program = Lockwarden(environment=variables, temporary=temporary)
    return Scene(lockwarden=program, repository=_repository(folder / "repository", demo))


def world(demo: DemoWorld) -> World:
    """The demo's servers, and those of example.com that pages name."""
    return World.of([*demo.world.sites.items(), _mirror(demo), ("registry.example.com", _oci_registry(demo))])


def configured(folder: Path) -> Path:
    """A home folder with the CLI configuration that the page about it shows."""
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    home = folder / "home" / "me"
    home.mkdir(parents=True)
    _, text, *_ = re.split(r"```hcl\n(provider_installation.*?)```", page, flags=re.DOTALL)
    (home / ".tofurc").write_text(text, encoding="utf-8")
    return home


def _mirror(demo: DemoWorld) -> tuple[str, Site]:
    mirrored = [each.mirrored for each in demo.stories if each.mirrored and each.address.endswith(LOCKED)]
    return network_mirror_site("https://mirror.example.com/providers/", mirrored)


def _oci_registry(demo: DemoWorld) -> Site:
    """A registry without a list of repositories, which has one provider."""
    (release,) = (each.release for each in demo.stories if each.address.endswith(LOCKED[0]))
    shelf, base = Shelf(), f"/v2/providers/{LOCKED[0]}"
    shelf.provider(release.version, {name: package.archive for name, package in release.packages.items()})
    site = {"/v2/": Response.of_json({})}
    site[f"{base}/tags/list"] = Response.of_json({"name": f"providers/{LOCKED[0]}", "tags": list(shelf.tags)})
    for digest, (media_type, body) in shelf.manifests.items():
        answer = Response(headers=(("Content-Type", media_type), ("Docker-Content-Digest", digest)), body=body)
        for name in (digest, *(tag for tag, named in shelf.tags.items() if named == digest)):
            site[f"{base}/manifests/{name}"] = answer
    return site | {f"{base}/blobs/{digest}": Response.of_bytes(blob) for digest, blob in shelf.blobs.items()}


def _repository(folder: Path, demo: DemoWorld) -> Path:
    entries = [each.lock for each in demo.stories if each.address.endswith(LOCKED)]
    for place in (".", "infra", "infra/prod", "infra/test"):
        (folder / place / "modules/m").mkdir(parents=True)
        (folder / place / ".terraform.lock.hcl").write_text(lock_text(entries), encoding="utf-8")
        (folder / place / "main.tf").write_text('module "m" {\n  source = "./modules/m"\n}\n')
        (folder / place / "modules/m/main.tf").write_text("")
    (package, *_) = sorted(demo.filesystem_mirror.rglob("*widget*linux_amd64.zip"))
    shutil.copyfile(package, folder / package.name)
    metadata = folder / "registry" / SAMPLE_PATH
    metadata.parent.mkdir(parents=True)
    # Filled, so that no backfill has anything to fetch.
    metadata.write_text(SAMPLE.replace('"h1": ""', f'"h1": "{SAMPLE_H1}"').replace('"size": 0', '"size": 295'))
    committed(folder)
    clone = folder / "clones" / "payments" / "infra"
    clone.mkdir(parents=True)
    (clone / ".terraform.lock.hcl").write_text(lock_text(entries[:1]), encoding="utf-8")
    committed(clone)
    for name in ("repositories.txt", "names.txt"):
        (folder / name).write_text("payments/infra\n", encoding="utf-8")
    (folder / "organisation.hcl").write_text("", encoding="utf-8")
    return folder


def committed(folder: Path) -> None:
    """Everything in the folder as the commit that `origin/main` is, too."""
    git(folder, "init", "-q", "-b", "main", "--template=")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-q", "-m", "all")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
