"""What comes from elsewhere is named exactly, and what only tells about itself asks nobody."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from builders.tables import table

ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?(\[[a-z0-9,_-]+\])?==\S+( ; [^\\]+)?")
HASHES = re.compile(r"( \\\n    --hash=sha256:[0-9a-f]{64})+\Z")
INSTALLATION = re.compile(r"(?:pip|\{pip\[@\]\}\") install\b((?:[^\n\\]|\\\n)*)")
BY_NAME = re.compile(r"""(?:\b(?:pipx?|tool|pip3) install|uvx)(?: --?[\w-]+)* ["'“]?lockwarden\b(?!\.whl)""")
PARTS = ("cli", "core", "demo", "program", "tui", "scripts")
LISTENER = """
import sys
heard = []
def hear(event, arguments):
    if event.startswith("socket.") or event.startswith("urllib.") or event == "http.client.connect":
        heard.append(event)
sys.addaudithook(hear)
"""
IMPORTS = """
import importlib, pkgutil
import lockwarden.core, lockwarden.demo, lockwarden.tui
for package in (lockwarden.core, lockwarden.demo, lockwarden.tui):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
"""
COMMAND = """
from lockwarden.cli.main import main
for words in sys.argv[1:]:
    try:
        main(words.split())
    except SystemExit as leaving:
        assert not leaving.code, leaving.code
    print("said", words)
"""
ASKING = """
import socket
try:
    socket.create_connection(("127.0.0.1", 1), timeout=1)
except OSError:
    pass
"""


@table("name", sorted(path.name for path in (ROOT / "requirements").glob("*.txt")))
def test_every_package_has_one_version_and_hashes(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    entries = re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE).strip().split("\n")
    joined = re.split(r"\n(?=\S)", "\n".join(entries))
    for each in joined:
        hashes = HASHES.search(each)
        assert hashes is not None, each
        assert PINNED.fullmatch(each[: hashes.start()]), each
    assert len(joined) == len({each.partition("==")[0] for each in joined})


def test_nothing_is_installed_but_by_hash_or_from_these_sources() -> None:
    files = [ROOT / name for name in ("Makefile", "action.yml", "scripts/venv.sh", "scripts/action.sh", ".ci/run")]
    found = {file.name: INSTALLATION.findall(file.read_text(encoding="utf-8")) for file in files}
    assert [name for name, commands in found.items() if commands] == ["Makefile", "action.yml", "venv.sh"]
    for command in (each for commands in found.values() for each in commands):
        assert ("--require-hashes" in command) != ("--no-deps" in command), command
        assert ("--no-deps" in command) == ("--requirement " not in command and " -r " not in command), command
        if "--editable" in command or '"$ACTION"' in command.replace('"$ACTION/', ""):
            assert "--no-build-isolation" in command, command


def test_nobody_is_told_to_install_lockwarden_by_its_name_which_anybody_can_take() -> None:
    modules = (each for part in PARTS for each in ROOT.glob(f"{part}/**/*.py"))
    pages = {path: path.read_text(encoding="utf-8") for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*"), *modules)}
    told = [(path.name, found) for path, text in pages.items() for found in BY_NAME.findall(text)]

    assert told == []
    assert len(BY_NAME.findall("pip install lockwarden; pipx install 'lockwarden[serve]'; uvx lockwarden")) == 3


def test_python_runs_isolated_wherever_something_is_installed() -> None:
    files = [ROOT / name for name in ("Makefile", "action.yml", "scripts/venv.sh", "scripts/action.sh", "docs/ci.md")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    started = [
        line for line in lines if re.search(r"-m (?:pip|venv|lockwarden)\b|-c '", line) and "bash -c" not in line
    ]
    assert len(started) > 12
    assert [line for line in started if not re.search(r" -I (?:-m|-c) ", line) and "$(SITE)" not in line] == []


def test_names_that_are_handed_on_stand_behind_two_hyphens() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    handed = re.findall(r"xargs .*", text)
    assert handed
    assert all(re.fullmatch(r"xargs -0 .* --", each) for each in handed)


def test_every_action_is_named_by_its_commit() -> None:
    workflows = [ROOT / "action.yml", *(ROOT / ".github").rglob("*.yml"), *(ROOT / ".github").rglob("*.yaml")]
    used = [each for file in workflows for each in re.findall(r"uses: *(\S+)", file.read_text(encoding="utf-8"))]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}", each)] == []


def heard(code: str, *arguments: str) -> Mapping[str, list[str]]:
    """The events of the network in a fresh interpreter that runs some code, and what else it said."""
    done = subprocess.run(
        [sys.executable, "-c", f"{LISTENER}{code}\nprint('heard', *heard)", *arguments],
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    *said, last = done.stdout.splitlines()
    return {"said": said, "heard": last.split()[1:]}


def test_importing_every_module_opens_no_socket() -> None:
    assert heard(IMPORTS)["heard"] == []


def test_telling_about_itself_opens_no_socket() -> None:
    commands = ["--help", "--version", "check --help", "lock --help", "demo --help"]
    run = heard(COMMAND, *commands)
    assert [line for line in run["said"] if line.startswith("said ")] == [f"said {each}" for each in commands]
    assert len(run["said"]) > 10 * len(commands)
    assert run["heard"] == []


def test_whoever_asks_a_server_is_heard() -> None:
    assert "socket.connect" in heard(ASKING)["heard"]
