"""A checkout that would like to run something, and an action that can be installed without a network."""

from __future__ import annotations

import base64
import hashlib
import shutil
import sysconfig
import zipfile
from collections.abc import Mapping
from pathlib import Path

from end_to_end.ci_action import ROOT

_MODULES = (
    *(
        "pip",
        "venv",
        "ensurepip",
        "site",
        "sitecustomize",
        "usercustomize",
        "startup",
        "setuptools",
        "standin",
        "secrets",
    ),
    *("lockwarden", "encodings/__init__", "lockwarden/__init__", "lockwarden/tui/__init__", "lockwarden/tui/__main__"),
    *("pip/__init__", "pip/__main__", "lib/python3/encodings/__init__"),
)
# As early as `encodings` is imported there is no `open` yet.
_SINGS = """import posix
canary = posix.open({canary!r}, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND)
posix.write(canary, {name!r})
"""
_PROGRAMS = ("python3", "python", "git", "gpg", "gpgv", "bash", "sh", "env", "mktemp", "pip", "pip3")


def make_hostile(checkout: Path, canary: Path) -> None:
    """Put something that writes its name into `canary` wherever a tool could look for something to run or to obey."""
    for name in _MODULES:
        _write(checkout / f"{name}.py", _SINGS.format(canary=str(canary), name=f"{name}\n".encode()))
    for folder in (checkout / "bin", checkout / "programs"):
        for name in _PROGRAMS:
            _write(folder / name, f'#!/bin/sh\necho "$0" >>{canary}\nexit 0\n', mode=0o755)
    _write(checkout / "bash_env", f"echo bash_env >>{canary}\n")
    _write(checkout / "evil.pth", f"import sys; open({str(canary)!r}, 'a').write('pth\\n')\n")
    _write(checkout / "pyvenv.cfg", f"home = {checkout}/bin\n")
    for name in ("pip.conf", "pip.ini", "pip/pip.conf", ".config/pip/pip.conf", ".pip/pip.conf"):
        _write(checkout / name, f"[global]\npython = {checkout}/bin/python3\n[install]\nrequirement = evil.txt\n")
    _write(checkout / "setup.cfg", "[easy_install]\nindex_url = file:///nowhere\n")
    _write(
        checkout / "pyproject.toml", '[build-system]\nrequires = []\nbuild-backend = "standin"\nbackend-path = ["."]\n'
    )


def hostile_environment(checkout: Path, path: str) -> dict[str, str]:
    """Settings of a job that was careless with its checkout."""
    return {
        "PATH": f":.:programs:../repository/programs:{path}:",
        "PYTHONPATH": f":{checkout}:lib",
        "PYTHONSTARTUP": str(checkout / "startup.py"),
        "PYTHONHOME": str(checkout),
        "PYTHONUSERBASE": str(checkout),
        "PIP_CONFIG_FILE": str(checkout / "pip.conf"),
        "PIP_REQUIREMENT": str(checkout / "evil.txt"),
        "PIP_TARGET": str(checkout / "target"),
        "BASH_ENV": str(checkout / "bash_env"),
    }


def stand_in_action(folder: Path) -> Mapping[str, str]:
    """An action with the scripts of this one, and settings of pip with which it can be installed without a network.

    What it installs is a stand-in: a backend that builds a package of one line, which leads to the tests' installation.
    """
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    packages = sysconfig.get_path("purelib")
    line = f"import site; site.addsitedir({packages!r})\n"
    backend = (
        "import zipfile\n"
        "def build_wheel(folder, config_settings=None, metadata_directory=None):\n"
        "    with zipfile.ZipFile(f'{folder}/lockwarden-1-py3-none-any.whl', 'w') as wheel:\n"
        f"        for name, text in {_files('lockwarden', {'lockwarden-here.pth': line})!r}.items():\n"
        "            wheel.writestr(name, text)\n"
        "    return 'lockwarden-1-py3-none-any.whl'\n"
    )
    wheel = folder / "wheels" / "standin-1-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in _files("standin", {"standin.py": backend}).items():
            archive.writestr(name, text)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    _write(folder / "requirements" / "run.txt", f"standin==1 --hash=sha256:{digest}\n")
    project = '[build-system]\nrequires = ["standin"]\nbuild-backend = "standin"\n[project]\nname = "lockwarden"\n'
    _write(folder / "pyproject.toml", f'{project}version = "1"\n')
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel.parent)}


def _files(name: str, files: Mapping[str, str]) -> dict[str, str]:
    """What is in a wheel of version 1."""
    about = {
        f"{name}-1.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{name}-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    found = {**files, **about}
    record = "".join(f"{path},{_digest(text)},{len(text)}\n" for path, text in found.items())
    return {**found, f"{name}-1.dist-info/RECORD": f"{record}{name}-1.dist-info/RECORD,,\n"}


def _digest(text: str) -> str:
    return f"sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()}"


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
