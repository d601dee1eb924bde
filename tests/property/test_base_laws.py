"""A change never decides how it is judged: whatever it adds, the exit code with a base is never better than without."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from builders.audits import ADDRESS, FINGERPRINT, LINUX, audit, h1, origin_with, zh
from builders.policies import STRANGER, signed_by
from builders.reading import SECOND_READER, read
from builders.reviews import entry_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockwardenError

LOCK, POLICY, APPROVALS = ".terraform.lock.hcl", ".lockwarden.hcl", ".lockwarden/approvals.hcl"
OWN: Final = (h1("linux_amd64"), zh("linux_amd64"))
PLANTED: Final = h1("planted")
PIN: Final = f'signing_key "{FINGERPRINT}" {{\n  providers = ["*/*/*"]\n}}\n'
OTHER_PIN: Final = f'signing_key "{STRANGER}" {{\n  providers = ["*/*/*"]\n}}\n'
SIGNED: Final = 'require {\n  providers = ["*/*/*"]\n  signed = true\n}\n'
HOSTS: Final = 'require {\n  providers = ["*/*/*"]\n  hosts = ["elsewhere.example.test"]\n}\n'
FROM_CHANGE: Final = "approvals {\n  from_change = true\n}\n"
APPROVED: Final = (
    f'approval "{ADDRESS}" {{\n  version = "1.2.3"\n  hashes = ["{PLANTED}"]\n  verdict = "unexplained"\n'
    '  by = "M <m@example.test>"\n  at = "2026-03-01T05:00:00Z"\n  reason = "ours"\n}\n'
)
AUDITS: Final = (audit(origin_with(LINUX)), audit(signed_by(STRANGER, downloaded=[LINUX])))
ORDER: Final = (ExitCode.NOTHING_TO_OBJECT, ExitCode.INCOMPLETE, ExitCode.FINDINGS, ExitCode.UNUSABLE_INPUT)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
Addition = Callable[[Path], None]


def git(folder: Path, *words: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test")
    subprocess.run(["git", *who, *words], cwd=folder, env=environment, check=True, capture_output=True)


def put(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def made(folder: Path, policies: dict[str, str], lock_text: str) -> None:
    """A repository with a lock file in `infra`, whose policies are on `main`, and a branch that adds nothing yet."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", "--template=")
    put(folder, f"infra/{LOCK}", entry_text(*OWN))
    put(folder, "other/main.tf", "# nothing\n")
    put(folder, "conf/own.hcl", PIN + HOSTS)
    for name, text in policies.items():
        put(folder, name, text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "base")
    git(folder, "switch", "-q", "-c", "topic")
    put(folder, f"infra/{LOCK}", lock_text)
    git(folder, "commit", "-q", "-a", "--allow-empty", "-m", "change")


BASES: Final[tuple[dict[str, str], ...]] = (
    {},
    {POLICY: PIN},
    {POLICY: SIGNED, f"infra/{POLICY}": PIN},
    {f"infra/{POLICY}": HOSTS},
    {POLICY: PIN + SIGNED, APPROVALS: "# none\n"},
    {POLICY: "require {\n", f"infra/{POLICY}": PIN},
)
LOCKED: Final = (entry_text(*OWN), entry_text(*OWN, PLANTED), entry_text(OWN[1], PLANTED))


class Templates:
    """Every base with every lock file, each made once somebody wants it."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._made: dict[tuple[int, int], Path] = {}

    def __getitem__(self, wanted: tuple[int, int]) -> Path:
        if wanted not in self._made:
            base, locked = wanted
            folder = self._top / f"{base}-{locked}" / "repository"
            folder.parent.mkdir()
            made(folder, BASES[base], LOCKED[locked])
            self._made[wanted] = folder
        return self._made[wanted]


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    return Templates(tmp_path_factory.mktemp("bases"))


def writing(name: str, text: str) -> Addition:
    def add(folder: Path) -> None:
        path = folder / name
        if not path.is_symlink() and not path.is_dir():  # another addition may have come before
            put(folder, name, text)

    return add


def removing(name: str) -> Addition:
    return lambda folder: (folder / name).unlink(missing_ok=True)


def linking(name: str, target: str) -> Addition:
    def add(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return add


def moving(padding: int) -> Addition:
    """The lock file goes to another folder, with so many lines of comments before it."""

    def add(folder: Path) -> None:
        source, target = folder / "infra" / LOCK, folder / "other" / LOCK
        if source.exists() and not target.exists():
            target.write_text("# more\n" * padding + source.read_text())
            source.unlink()

    return add


def through_a_link(folder: Path) -> None:
    """The folder of the lock file becomes a link to the other one, which has it now."""
    moving(0)(folder)
    linking("infra", "other")(folder)


def nesting(folder: Path) -> None:
    """The lock file's folder becomes a repository of its own, as a submodule would be, whose base allows everything."""
    infra = folder / "infra"
    if not (infra / LOCK).is_file() or infra.is_symlink() or (infra / ".git").exists():
        return
    put(infra, POLICY, FROM_CHANGE)
    put(infra, APPROVALS, APPROVED)
    git(infra, "init", "-q", "-b", "main", "--template=")
    git(infra, "add", "-A")
    git(infra, "commit", "-q", "-m", "theirs")


def committing(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "more")


def submodule(folder: Path) -> None:
    """The same as `nesting`, and the outer repository has it as a submodule, beside what names it."""
    nesting(folder)
    infra = folder / "infra"
    if (infra / ".git").is_dir() and not infra.is_symlink():
        git(folder, "rm", "-q", "-r", "-f", "--cached", "--ignore-unmatch", "infra")
        git(folder, "-c", "advice.addEmbeddedRepo=false", "add", "-f", "infra")
        put(folder, ".gitmodules", '[submodule "infra"]\n  path = infra\n  url = ../elsewhere\n')


def referring(ref: str) -> Addition:
    """A tag or a branch that leads to the change is called like the base."""
    return lambda folder: git(folder, "update-ref", ref, "HEAD")


def everything(text: str) -> Addition:
    """Approvals, and a policy, in every place where one could be looked for."""

    def add(folder: Path) -> None:
        for place in ("", "infra/", "other/"):
            writing(f"{place}{APPROVALS}", APPROVED)(folder)
            writing(f"{place}{POLICY}", text)(folder)
        writing("other/own.hcl", text)(folder)

    return add


LEADING_AWAY: Final = (
    writing("conf/own.hcl", FROM_CHANGE),
    removing("conf/own.hcl"),
    linking("conf/own.hcl", "../other/own.hcl"),
    linking("conf", "other"),
)
"""What becomes of the policy that the operator names, once there is `everything`."""
texts = st.sampled_from([OTHER_PIN, FROM_CHANGE, "require {\n", "# nothing\n", PIN, SIGNED])
places = st.sampled_from(["", "infra/", "other/"])
planted = st.sampled_from([[], [everything(FROM_CHANGE)], [everything(OTHER_PIN + FROM_CHANGE)]])
moves = st.lists(
    st.one_of(
        st.builds(lambda place, text: writing(f"{place}{POLICY}", text), places, texts),
        st.builds(lambda place: writing(f"{place}{APPROVALS}", APPROVED), places),
        st.builds(lambda place: removing(f"{place}{POLICY}"), places),
        st.sampled_from(
            [
                moving(0),
                moving(400),
                through_a_link,
                nesting,
                committing,
                linking(f"infra/{POLICY}", "../other.hcl"),
                linking(f"infra/{LOCK}", f"../other/{LOCK}"),
                linking(".lockwarden", "other"),
                writing(f"other/{LOCK}", LOCKED[0]),
                writing("infra/.gitmodules", "[submodule]\n"),
                writing(".gitignore", "*\n"),
                writing("infra/.gitignore", f"{LOCK}\n{POLICY}\n"),
                writing(".gitattributes", "* text eol=crlf\n"),
                writing(".tofurc", "provider_installation {\n  direct {}\n}\n"),
                submodule,
                writing("infra/.git", "gitdir: ../other\n"),
                writing("infra/.git/HEAD", "ref: refs/heads/main\n"),
                *LEADING_AWAY,
                referring("refs/tags/main"),
                referring("refs/main"),
                referring("refs/remotes/main/HEAD"),
            ]
        ),
    ),
    max_size=3,
)
led_away = st.sampled_from([[], [moving(0)], [moving(400)], [through_a_link], [nesting], [submodule]])
additions = st.builds(lambda first, second, then: [*first, *second, *then], planted, led_away, moves)


names = st.sampled_from(
    [None, None, "conf/own.hcl", "infra/../conf/own.hcl", "{0}/conf/own.hcl", "{0}/../alias/own.hcl"]
)
"""The policy that the operator names, with the place of the repository: each of these is in reach of the change."""


@cache
def before(template: Path, named: str | None) -> tuple[ExitCode, ...]:
    """How the check of a change that adds nothing ends."""
    codes = exit_codes(template / "infra" / LOCK, template, named)
    assert ExitCode.UNUSABLE_INPUT not in codes
    return codes


def exit_codes(lock_file: Path, top: Path, named: str | None = None) -> tuple[ExitCode, ...]:
    """How the check would end by each of the audits."""
    alias = top.parent / "alias"
    if named is not None and not alias.is_symlink():
        alias.symlink_to(f"{top.name}/conf")
    finder = StandardsFinder(
        environ={"PATH": os.environ["PATH"], "HOME": str(top)},
        directory=top,
        now=lambda: NOW,
        policy=None if named is None else named.format(top),
        second_reader=SECOND_READER,
    )
    try:
        read_now = read(lock_file)
        standards = finder.standards(read_now, base="main")
    except LockwardenError:
        return (ExitCode.UNUSABLE_INPUT,) * len(AUDITS)
    begun = Review.start(read_now, settings=ClientSettings(), platforms=[LINUX], standards=standards)
    return tuple(begun.with_audit(known).exit_code for known in AUDITS)


_EXAMPLES: Final = settings.default.max_examples if settings.default else 60
"""Each of them takes a repository here, and a dozen runs of git."""
_THOROUGH: Final = _EXAMPLES > 60


@settings(
    max_examples=_EXAMPLES // 3 if _THOROUGH else 8,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.sampled_from(range(len(BASES))), st.sampled_from([0, 0, 1, 1, 2]), names, additions)
def test_what_a_change_adds_never_makes_the_answer_better(
    templates: Templates, base: int, locked: int, named: str | None, added: list[Addition]
) -> None:
    template = templates[base, locked]
    without = before(template, named)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "repository"
        shutil.copytree(template, folder, symlinks=True)
        for each in added:
            each(folder)
        judged = [exit_codes(path, folder, named) for path in _led(folder) if _holds(path, template)]
    for codes in judged:
        pairs = zip(without, codes, strict=True)
        assert all(ORDER.index(now) >= ORDER.index(before) for before, now in pairs), (without, codes)


@pytest.mark.parametrize("named", ["conf/own.hcl", "{0}/../alias/own.hcl"])
@pytest.mark.parametrize("lead", LEADING_AWAY, ids=["rewritten", "removed", "a link", "behind a link"])
def test_a_policy_that_is_named_in_the_working_tree_counts_as_the_base_has_it(
    templates: Templates, tmp_path: Path, named: str, lead: Addition
) -> None:
    without = before(templates[0, 0], named)
    assert without == (ExitCode.FINDINGS,) * len(AUDITS)
    folder = tmp_path / "repository"
    shutil.copytree(templates[0, 0], folder, symlinks=True)
    everything(FROM_CHANGE)(folder)
    lead(folder)
    codes = exit_codes(folder / "infra" / LOCK, folder, named)
    assert all(ORDER.index(now) >= ORDER.index(was) for was, now in zip(without, codes, strict=True)), codes


@pytest.mark.parametrize("base", range(len(BASES)))
def test_wherever_the_file_is_led_nothing_planted_there_makes_the_answer_better(
    templates: Templates, tmp_path: Path, base: int
) -> None:
    for locked in (0, 1) if _THOROUGH else (base % 2,):
        template = templates[base, locked]
        without = before(template, None)
        leads = (moving(0), moving(400), through_a_link, nesting)
        for place, lead in enumerate(leads if _THOROUGH else leads[base // 2 % 2 :: 2]):
            folder = tmp_path / f"{locked}-{place}"
            shutil.copytree(template, folder, symlinks=True)
            lead(folder)
            everything(OTHER_PIN + FROM_CHANGE)(folder)
            for path in (folder / "infra" / LOCK, folder / "other" / LOCK):
                codes = exit_codes(path, folder) if path.exists() else without
                assert all(ORDER.index(now) >= ORDER.index(was) for was, now in zip(without, codes, strict=True))


def _led(folder: Path) -> list[Path]:
    """Where the lock file may be now. A copy beside it is a new one, for which the policies of its own folder count."""
    here, there = folder / "infra" / LOCK, folder / "other" / LOCK
    found = [path for path in (here, there) if path.exists()]
    return found if len(found) < 2 or here.samefile(there) else [here]


def _holds(path: Path, template: Path) -> bool:
    """Whether the file is the one that was there before, wherever it is now: another one may well be better."""
    return path.read_text().endswith((template / "infra" / LOCK).read_text())
