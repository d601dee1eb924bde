"""What a command loads, read from a fresh interpreter: what it does not need would only cost time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from servers.installed import PATIENCE

LOCK_FILE = '\nprovider "example.test/acme/widget" {\n  version = "1.0.0"\n}\n'
HEAVY = (
    "asyncio",
    "cryptography",
    "gnupg",
    "hcl2",
    "httpcore",
    "httpx",
    "isal",
    "lark",
    "msgspec",
    "pygments",
    "regex",
)
SCREEN = ("rich", "textual")
CODE = (
    "import sys; from lockwarden.cli.main import main\n"
    "for words in sys.argv[1:]: sys.argv[1:] = words.split(); main()\n"
    "names = [name for name, module in sys.modules.items() if module]\n"
    "own = [name for name in names if name.startswith('lockwarden.')]\n"
    "print('loaded', *{name.partition('.')[0] for name in names}, *own)"
)
OF_OTHER_COMMANDS = {
    f"lockwarden.cli.{each}_commands"
    for each in ("about", "auditing", "module", "package", "registry", "reviewing", "writing")
}
OPENING = "import sys, lockwarden.cli.look, lockwarden.cli.review, lockwarden.cli.review_setup, lockwarden.tui.app; "
OF_OTHER_SCREENS = {
    f"lockwarden.{each}"
    for each in (
        "cli.check",
        "core.engine.conflicts",
        "core.engine.displaced_lock_files",
        "core.engine.module_trees",
        "core.engine.network",
        "tui.modules",
        "tui.outside",
        "tui.resolving",
        "tui.screens.files",
        "tui.screens.modules",
        "tui.screens.sources",
        "tui.standards",
    )
}
UNUSED = {
    f"lockwarden.core.{each}"
    for each in (
        "approvals.read",
        "archives.inspection",
        "archives.streams",
        "bundles",
        "cli_config.docker_files",
        "cli_config.helper_programs",
        "cli_config.json_grammar",
        "cli_config.methods",
        "cli_config.oci_credentials",
        "configuration",
        "document_signatures.ssh_signature",
        "engine.base_standards",
        "engine.tracked_lock_files",
        "git.program",
        "git.repository",
        "http.downloads",
        "http.package_streams",
        "lockfile.edit",
        "module_packages",
        "modules",
        "oci",
        "oci_signatures",
        "policy.read",
        "registry_metadata",
        "reports.hash_table",
        "reports.json_values",
        "reports.line_breaking",
        "reports.located_module_findings",
        "review.module_review",
        "review.signed_approvals",
        "sources.local",
        "sources.network_mirror",
        "sources.oci_mirror",
    )
}
"""What only a base, a repository, a policy, a mirror, a package that comes, or another form of the report needs."""


@pytest.fixture
def loaded(program_environment: Callable[..., dict[str, str]], tmp_path: Path) -> Callable[..., set[str]]:
    """Runs commands in a folder with a lock file in the clients' form; the libraries and own modules that they load."""
    (tmp_path / ".terraform.lock.hcl").write_text(LOCK_FILE, encoding="utf-8")

    def run(*commands: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", CODE, *commands],
            cwd=tmp_path,
            env=program_environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return set(done.stdout.splitlines()[-1].split()[1:])

    return run


def test_telling_about_itself_loads_nothing_heavy(loaded: Callable[..., set[str]]) -> None:
    found = loaded("--version", "--help", "check --help", "cache --help")
    assert "click" in found
    assert found & {*HEAVY, *SCREEN, "ssl"} == set()


def test_an_offline_check_loads_no_client_no_grammar_and_no_screen(loaded: Callable[..., set[str]]) -> None:
    found = loaded("check --offline .")
    assert "asyncio" in found
    assert found & {"gnupg", "hcl2", "httpcore", "httpx", "lark", "regex", *SCREEN, "pygments"} == set()


def test_a_check_that_asks_servers_loads_no_screen_and_no_part_that_it_does_not_use(
    loaded: Callable[..., set[str]],
) -> None:
    found = loaded("check .")
    assert "httpx" in found
    assert found & {"hcl2", "lark", *SCREEN, "pygments", "difflib", "zipfile"} == set()
    assert "lockwarden.core.sources.registry.client" in found
    assert {each for each in UNUSED | OF_OTHER_COMMANDS if find_spec(each) is None} == set()
    assert found & (UNUSED | OF_OTHER_COMMANDS) == set()


def test_a_review_opens_without_the_network_and_without_what_its_other_screens_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{OPENING}print(*sys.modules)"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    found = set(done.stdout.split())
    assert "lockwarden.tui.screens.review" in found
    assert {each for each in OF_OTHER_SCREENS if find_spec(each) is None} == set()
    assert found & {"gnupg", "hcl2", "httpcore", "httpx", "lark", *OF_OTHER_SCREENS} == set()


def test_what_goes_with_the_process_is_not_searched_for_garbage() -> None:
    code = (
        "import atexit, gc, sys; from lockwarden.cli.start import main\n"
        "atexit.register(lambda: print(gc.isenabled(), len(gc.get_objects()) < gc.get_freeze_count()))\n"
        "sys.argv[1:] = ['--version']; sys.exit(main())"
    )
    ended = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "False True"
