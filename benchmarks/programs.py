"""The programs that are compared, each as a command in a folder of its own with nothing left from an earlier run."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.processes import RunError, Usage, run
from benchmarks.serving import Registry
from benchmarks.world import NAMESPACE, VERSION, ProviderSet, World

LOCK_FILE: Final = ".terraform.lock.hcl"
LOCKWARDEN: Final = Path(sys.executable).parent / "lockwarden"
_HASH: Final = re.compile(r'^\s*"((?:h1|zh):[^"]+)",$', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Where programs run: the folders of one set of providers, against a running registry."""

    folder: Path
    world: World
    registry: Registry
    chosen: ProviderSet

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms that are locked."""
        return self.chosen.platforms

    @property
    def urls(self) -> tuple[str, ...]:
        """Where the registry has the packages."""
        files = f"https://{self.registry.host}/files/"
        return tuple(f"{files}{path.parent.name}/{path.name}" for path in self.world.packages(self.chosen))

    @property
    def document_urls(self) -> tuple[str, ...]:
        """Where the registry has what is asked before the packages, in that order."""
        root = f"https://{self.registry.host}"
        service, files = f"{root}/v1/providers/{NAMESPACE}/", f"{root}/files/"
        targets = [platform.replace("_", "/") for platform in self.platforms]
        return (
            f"{root}/.well-known/terraform.json",
            *(f"{service}{each}/versions" for each in self.chosen.types),
            *(f"{service}{each}/{VERSION}/download/{target}" for each in self.chosen.types for target in targets),
            *(f"{files}{each}/{name}" for each in self.chosen.types for name in ("SHA256SUMS", "SHA256SUMS.sig")),
        )

    def environ(self, home: Path) -> Mapping[str, str]:
        """The variables of a program whose home is `home`: no configuration, no cache, the benchmarks' authority."""
        home.mkdir(parents=True, exist_ok=True)
        configuration = home / "empty.tfrc"
        configuration.touch()
        folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
        return folders | {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "SSL_CERT_FILE": str(self.world.ca_file),
            "TF_CLI_CONFIG_FILE": str(configuration),
            "CHECKPOINT_DISABLE": "1",
        }

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def write_lock_file(self, folder: Path) -> None:
        """A lock file that names the versions and has no hashes yet."""
        entries = (
            f'provider "{self.registry.host}/{NAMESPACE}/{each}" {{\n  version = "{VERSION}"\n}}\n'
            for each in self.chosen.types
        )
        text = "\n".join(("# Made for measuring.\n", *entries))
        (folder / LOCK_FILE).write_text(text, encoding="utf-8")

    def write_configuration(self, folder: Path) -> None:
        """A configuration that requires the providers."""
        required = "\n".join(
            f'    {each} = {{ source = "{self.registry.host}/{NAMESPACE}/{each}", version = "{VERSION}" }}'
            for each in self.chosen.types
        )
        text = f"terraform {{\n  required_providers {{\n{required}\n  }}\n}}\n"
        (folder / "main.tf").write_text(text, encoding="utf-8")


def lock_with_lockwarden(shop: Workshop) -> Usage:
    """`lockwarden lock` with an empty cache; the cache stays for the warm runs."""
    folder = shop.fresh("lockwarden")
    shop.write_lock_file(folder)
    return _lockwarden(shop, "lock", folder)


def check_again(shop: Workshop) -> Usage:
    """`lockwarden check` of what was locked, with the cache of that run."""
    return _lockwarden(shop, "check", shop.folder / "lockwarden")


def check_without_packages(shop: Workshop) -> Usage:
    """`lockwarden check` of what was locked, once all packages have gone from the cache."""
    shutil.rmtree(shop.folder / "lockwarden" / "home" / "cache" / "lockwarden" / "packages")
    return check_again(shop)


def plant(shop: Workshop, name: str, *, files: int, providers: int) -> Path:
    """A tree of lock files, each with some of the entries that `lock_with_lockwarden` has locked, in turn."""
    text = (shop.folder / "lockwarden" / LOCK_FILE).read_text(encoding="utf-8")
    header, *entries = re.split(r"(?m)^(?=provider )", text)
    top = shop.fresh(name)
    for number in range(files):
        first = number % len(entries)
        chosen = sorted(each.strip() for each in (entries[first:] + entries[:first])[:providers])
        folder = top / f"stack{number:04}"
        folder.mkdir()
        text = "".join((header.strip(), "\n", *(f"\n{each}\n" for each in chosen)))
        (folder / LOCK_FILE).write_text(text, encoding="utf-8")
    return top


def plant_repositories(shop: Workshop, name: str, *, repositories: int, providers: int) -> Path:
    """A folder of bare repositories and working trees in turn, each with such a lock file and a configuration."""
    top = plant(shop, name, files=repositories, providers=providers)
    environ = shop.environ(shop.folder / "lockwarden" / "home")
    author = ("-c", "user.name=Benchmarks", "-c", "user.email=benchmarks@example.test")
    commit = " ".join(("git", *author, "commit --quiet --message one"))
    made = f"git init --quiet --template= --initial-branch=main && git add . && {commit}"
    bare = "mv $each.git ${each%/}.git; git -C ${each%/}.git config core.bare true; rm -rf $each"
    script = f"for each in */; do (cd $each && {made}); done; for each in *[02468]/; do {bare}; done"
    run(["sh", "-e", "-c", script], folder=top, environ=environ)
    return top


def check_repositories(shop: Workshop, top: Path) -> Usage:
    """`lockwarden organisation` of a folder of repositories with an empty cache, and the page and the JSON of it."""
    home = shop.fresh("cold-home")
    words = ["organisation", "--report", "html:report.html", "--report", "json:report.json", str(top)]
    return run([str(LOCKWARDEN), *words], folder=home, environ=shop.environ(home))


def commit_bump(shop: Workshop, top: Path, *, files: int) -> None:
    """Make a repository of a tree, whose base had an older version of each one's first provider in so many files."""
    environ = shop.environ(shop.folder / "lockwarden" / "home")
    chosen = sorted(top.glob(f"*/{LOCK_FILE}"))[:files]
    now = {path: path.read_text(encoding="utf-8") for path in chosen}
    for path, text in now.items():
        path.write_text(text.replace(f'"{VERSION}"', '"0.9.0"', 1), encoding="utf-8")
    author = ("-c", "user.name=Benchmarks", "-c", "user.email=benchmarks@example.test")
    commands = (("init", "--quiet", "--initial-branch=main"), ("add", "."), (*author, "commit", "--quiet", "-m", "one"))
    for words in commands:
        run(["git", "-C", str(top), *words], folder=shop.folder, environ=environ)
    for path, text in now.items():
        path.write_text(text, encoding="utf-8")


def check_tree(shop: Workshop, top: Path, *, cold: bool = False, base: str = "") -> Usage:
    """`lockwarden check --recursive` of a tree, with the cache of the locking or with an empty one.

    With a base, a change of the version is a finding or open.
    """
    home = shop.fresh("cold-home") if cold else shop.folder / "lockwarden" / "home"
    words = ["check", "--recursive", *(["--base", base] if base else []), "."]
    codes = frozenset({0, 1, 3} if base else {0})
    return run([str(LOCKWARDEN), *words], folder=top, environ=shop.environ(home), expected=codes)


def _lockwarden(shop: Workshop, command: str, folder: Path) -> Usage:
    platforms = [word for platform in shop.platforms for word in ("--platform", platform)]
    return run([str(LOCKWARDEN), command, *platforms, "."], folder=folder, environ=shop.environ(folder / "home"))


def lock_with_client(shop: Workshop, client: str) -> Usage:
    """`providers lock` of a client, in a folder without a lock file."""
    folder = shop.fresh(client)
    shop.write_configuration(folder)
    platforms = [f"-platform={platform}" for platform in shop.platforms]
    return run([client, "providers", "lock", *platforms], folder=folder, environ=shop.environ(folder / "home"))


def run_bare(shop: Workshop, what: str) -> Usage:
    """The limit or the pipeline, over the set's packages, or the link, over its documents and packages."""
    folder = shop.fresh(f"bare-{what}")
    given = {
        "limit": [str(path) for path in shop.world.packages(shop.chosen)],
        "pipeline": shop.urls,
        "link": (*shop.document_urls, *shop.urls),
    }[what]
    root = Path(__file__).resolve().parent.parent
    environ = {**shop.environ(folder / "home"), "PYTHONPATH": str(root)}
    return run([sys.executable, "-m", "benchmarks.bare", what, *given], folder=folder, environ=environ)


def run_parts(shop: Workshop, *words: str) -> Usage:
    """What Python, httpx and gpg alone take for the documents and signatures; and for the packages, with that word."""
    folder = shop.fresh("bare-parts")
    root = Path(__file__).resolve().parent.parent
    environ = {**shop.environ(folder / "home"), "PYTHONPATH": str(root)}
    given = (shop.registry.host, ",".join(shop.chosen.types), ",".join(shop.platforms), *words)
    return run([sys.executable, "-m", "benchmarks.bare_parts", *given], folder=folder, environ=environ)


def require_same_hashes(shop: Workshop, client: str) -> None:
    """Raises RunError unless the client and Lockwarden have locked the same hashes."""
    theirs, ours = (
        sorted(_HASH.findall((shop.folder / name / LOCK_FILE).read_text(encoding="utf-8")))
        for name in (client, "lockwarden")
    )
    if theirs != ours or len(ours) != 2 * len(shop.urls):
        raise RunError(f"lockwarden and {client} locked other hashes: {len(ours)} and {len(theirs)} of them")
