"""A change under attack by its own author: hostile hashes, and whatever could make them look right."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, Answered, Scene, entry, packages
from builders.three_providers import HOST, MIRROR
from fakes.git_commands import NO_UPKEEP
from servers.https import of_world

from lockwarden.core.values.errors import InputError, LockwardenError
from lockwarden.demo.mirrors import Mirrored, network_mirror_site, write_packed
from lockwarden.demo.releases import Release, registry_sites
from lockwarden.demo.world import World

BASE = ("--base", "refs/heads/main", *BOTH)
EVIL = "mirror.example.test"
HOST_BLOCK = f'host "{HOST}" {{\n  services = {{ "providers.v1" = "https://{EVIL}/v1/providers/" }}\n}}\n'
TRUSTED = (
    f'provider_installation {{\n  network_mirror {{\n    url = "{MIRROR}"\n    trust_all_hashes = true\n  }}\n}}\n'
)
FOLDER = 'provider_installation {{\n  filesystem_mirror {{\n    path = "{}"\n  }}\n}}\n'
CONTENTS = {
    "host block": HOST_BLOCK,
    "trusted mirror": TRUSTED,
    "folder": FOLDER.format("vendored"),
    "no method": 'provider_installation {\n  direct {\n    exclude = ["*/*/*"]\n  }\n}\n',
    "helper": 'credentials_helper "vault" {}\n',
    "broken": "provider_installation {\n",
    "script": "#!/bin/sh\nexit 0\n",
    "nothing": "",
}
"""What a change may write into a file."""
VARIABLES = {
    "nowhere": {},
    "file": {"TF_CLI_CONFIG_FILE": ".tofurc"},
    "file in a folder": {"TF_CLI_CONFIG_FILE": "{0}/ci/tofurc"},
    "home": {"TF_CLI_CONFIG_FILE": "", "HOME": "{0}", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""},
    "home and xdg": {"TF_CLI_CONFIG_FILE": "", "HOME": "{0}"},
    "xdg": {"TF_CLI_CONFIG_FILE": "", "XDG_CONFIG_HOME": "{0}/.config"},
    "programs": {"PATH": "{0}/bin:.:{1}"},
    "cache and state": {"XDG_CACHE_HOME": "{0}/.cache", "XDG_STATE_HOME": "{0}/.state"},
}
"""Variables of an operator, with the folder of the repository and the usual PATH."""
ABBREVIATED = "an abbreviated id"
BASE_NAMES = ("origin/main", "refs/remotes/origin/main", "main", "refs/heads/main", ABBREVIATED)


class Attack:
    """A repository whose lock file is as its registry says on `main`, and has hostile hashes on the branch."""

    def __init__(self, scene: Scene, parties: Parties) -> None:
        self.scene = scene
        self.honest = parties.release("widget")
        self.hostile = parties.sign(
            Release(address=f"{EVIL}/acme/widget", version="1.0.0", packages=packages("widget", build="hostile")),
            by=parties.intruder,
        )
        mirror = network_mirror_site(MIRROR, [self.as_widget])
        world = World.of([*registry_sites((self.honest, self.hostile)), mirror])
        scene.server.serve(of_world(world))
        self.git("init", "-q", "-b", "main")
        scene.lock(entry(self.honest))
        self.commit("base")
        self.git("switch", "-q", "-c", "change")
        scene.lock(entry(self.honest, *entry(self.hostile).hashes))
        self.commit("planted")
        self.git("update-ref", "refs/remotes/origin/main", "main")
        self._start = self.git("rev-parse", "HEAD")
        self._without: dict[str, int] = {}

    @property
    def as_widget(self) -> Mirrored:
        """The hostile packages under the honest address."""
        return Mirrored(address=self.honest.address, version="1.0.0", packages=self.hostile.packages)

    def git(self, *words: str) -> str:
        who = ("-c", "user.name=Eve", "-c", "user.email=eve@example.test", "-c", "commit.gpgsign=false", *NO_UPKEEP)
        done = subprocess.run(["git", *who, *words], cwd=self.scene.folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, message: str) -> None:
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", message)

    def write(self, name: str, text: str) -> Path:
        path = self.scene.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def on_main(self, name: str, text: str) -> None:
        """The same file on `main`, too, as a commit of its own."""
        self.git("switch", "-q", "main")
        self.write(name, text)
        self.commit("configuration")
        self.git("switch", "-q", "change")
        self.git("merge", "-q", "--no-edit", "main")

    def refused(self, *words: str, **environ: str) -> str:
        """What is said of something that cannot be used, which is exit code 2."""
        self.scene.environment.update(environ)
        with pytest.raises(InputError) as caught:
            self.scene.run("check", *BASE, *words)
        assert caught.value.hint
        return f"{caught.value.message} {caught.value.hint}"

    def check(self, expected: int, *words: str, **environ: str) -> Answered:
        self.scene.environment.update(environ)
        return self.scene.check(*(words or BASE), expected=expected)

    def reset(self) -> None:
        """The change as it was at first, and none of its tags and branches."""
        for ref in self.git("for-each-ref", "--format=%(refname)").splitlines():
            if ref not in {"refs/heads/main", "refs/heads/change", "refs/remotes/origin/main"}:
                self.git("update-ref", "--no-deref", "-d", ref)
        self.git("reset", "-q", "--hard", self._start)
        self.git("clean", "-q", "-ffdx")

    def without(self, led: str) -> int:
        """The exit code before the change adds anything, whatever the base is called."""
        if led not in self._without:
            self._without[led] = self.code("refs/heads/main", led)
        return self._without[led]

    def code(self, base: str, led: str) -> int:
        """The exit code with a base, and with variables that lead into the working tree."""
        usual = dict(self.scene.environment)
        values = {name: text.format(self.scene.folder, usual["PATH"]) for name, text in VARIABLES[led].items()}
        self.scene.environment |= values
        name = self.git("rev-parse", "refs/remotes/origin/main")[:10] if base == ABBREVIATED else base
        try:
            return self.scene.run("check", "--base", name, *BOTH).code
        except LockwardenError:
            return 2
        finally:
            self.scene.environment = usual

    def add(self, files: Mapping[str, str], *, link: bool) -> None:
        """Commit some files, or links to such files outside of the repository."""
        for name, content in files.items():
            if "/x" in name and not name.endswith("x.tfrc"):
                write_packed(self.scene.folder / name.removesuffix("/x"), [self.as_widget])
            elif link:
                outside = self.scene.folder.parent / f"outside-{content}"
                outside.write_text(CONTENTS[content])
                place = self.scene.folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(outside)
            else:
                self.write(name, CONTENTS[content]).chmod(0o755)
        self.commit("more") if files else None

    def refer(self, refs: Iterable[str], base: str) -> None:
        """Make tags, branches and replacements that are called like the base, and lead to the change."""
        main = self.git("rev-parse", "refs/remotes/origin/main")
        for ref in refs:
            name = main if ref.startswith("replace/") else main[:10] if base == ABBREVIATED else base
            if (full := f"refs/{ref.format(name)}") != "refs/heads/main":
                self.git("update-ref", full, "HEAD")
