"""Clock, environment, proxies and the user's folders are asked for at one edge, and handed in everywhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builders.tables import table

ROOT: Final = Path(__file__).parents[2]
AT_THE_EDGE: Final = frozenset(
    {
        *(
            "os.environ",
            "os.environb",
            "os.getenv",
            "os.getenvb",
            "os.putenv",
            "os.path.expanduser",
            "os.path.expandvars",
        ),
        *("datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns"),
        *("time.localtime", "time.gmtime", "time.ctime", "Path.home", "getpass.getuser"),
        *("urllib.request.getproxies", "urllib.request.getproxies_environment", "getproxies", "environ", "getenv"),
        *("platformdirs.user_cache_path", "platformdirs.user_state_path", "shutil.which", "socket.gethostname"),
    }
)
"""What only `cli/surroundings.py` may ask; `x.now()` of anything but `datetime` is somebody's argument."""
EDGE: Final = "cli/surroundings.py"


LAST_WORDS: Final = frozenset(each.rpartition(".")[2] for each in AT_THE_EDGE)
MODULES: Final = frozenset(each.rpartition(".")[0] for each in AT_THE_EDGE if each.islower()) - {""}
ASKING: Final = re.compile(
    rf"{'|'.join(re.escape(each) for each in sorted(AT_THE_EDGE) if '.' in each)}|expanduser"
    rf"|\bfrom ({'|'.join(map(re.escape, sorted(MODULES)))}) import"
)
"""What everything that asks has in its text, so that other modules need not be read."""


def asked(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of each thing that a module asks of the process."""
    if not ASKING.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=last) if last in LAST_WORDS:
                name = ast.unparse(node)
                if {name, name.removeprefix("datetime.")} & AT_THE_EDGE or last == "expanduser":
                    yield node.lineno, name
            case ast.ImportFrom(module=module, names=names):
                yield from (
                    (node.lineno, f"{module}.{each.name}") for each in names if f"{module}.{each.name}" in AT_THE_EDGE
                )


def modules() -> list[str]:
    return sorted(
        str(path.relative_to(ROOT)) for top in ("core", "cli", "tui", "demo") for path in (ROOT / top).rglob("*.py")
    )


def test_only_the_edge_asks_the_process() -> None:
    found = {name: [*asked((ROOT / name).read_text())] for name in modules()}
    assert {name for name, each in found.items() if each} == {EDGE}, found


@table(
    "source",
    [
        "import os\nx = os.environ['HOME']",
        "import os\ndef f(e=os.environ): ...",
        "from os import environ",
        "from datetime import datetime\ndatetime.now()",
        "import datetime\ndatetime.datetime.now()",
        "import time\ndef f(now=time.time): ...",
        "from urllib.request import getproxies",
        "from pathlib import Path\nPath('~').expanduser()",
    ],
)
def test_a_module_that_asks_by_itself_is_seen(source: str) -> None:
    assert [*asked(source)]
    assert not [*asked("def f(place, now):\n    return place.environ, place.now(), now()")]


OPENS_NOTHING: Final = (
    *("values", "evidence", "hcl", "document_signatures", "lockfile", "configuration", "oci_signatures", "coverage"),
    *("policy", "approvals", "modules", "registry_metadata", "review", "reports"),
)
OF_FILES: Final = frozenset(
    {
        *(
            "open",
            "open_to_read",
            "read_bytes",
            "read_text",
            "write_bytes",
            "write_text",
            "exists",
            "lexists",
            "is_file",
            "is_dir",
        ),
        *("is_symlink", "islink", "stat", "lstat", "fstat", "listdir", "scandir", "iterdir", "glob", "rglob"),
        *("cwd", "getcwd", "absolute", "abspath"),
        *("walk", "resolve", "realpath", "readlink", "mkdir", "touch", "unlink", "rename", "mkstemp"),
    }
)
"""Methods and functions that look at a file system; `ast.walk` of ours would be one more."""
FILE_WORDS: Final = re.compile(rf"\b(?:{'|'.join(sorted(OF_FILES))})\b")


def looked_at(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each call that looks at a file system."""
    if not FILE_WORDS.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in OF_FILES:
                yield node.lineno, ast.unparse(node.func)


def test_what_reads_bytes_and_judges_opens_nothing() -> None:
    below = [name for name in modules() if name.startswith(tuple(f"core/{each}/" for each in OPENS_NOTHING))]
    found = {name: [*looked_at((ROOT / name).read_text())] for name in below}
    assert {name: each for name, each in found.items() if each} == {}


def test_only_what_knows_how_sources_spell_folders_reads_policies() -> None:
    """Otherwise a rule about a mirror in a folder behind a link would not be about the source that is that folder."""
    importers = {
        name
        for name in modules()
        if "read_policy" in (source := (ROOT / name).read_text())
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and any(each.name == "read_policy" for each in node.names)
    }
    assert importers == {"core/engine/policy_files.py", "core/policy/edit.py"}
