"""No word of the command line is advice on the screen: it names the key that does it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextvars import copy_context
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from builders.audits import ADDRESS, VERSION, h1, zh
from builders.reviews import review
from msgspec.structs import replace
from textual.content import Content

from lockwarden.cli.main import lockwarden
from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.reports.meaning_tables.modules import MODULES
from lockwarden.core.reports.meaning_tables.registry_metadata import REGISTRY_METADATA
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.keymap import BY_NAME
from lockwarden.tui.render.advice import KEYS, on_screen, use_keys, with_keys
from lockwarden.tui.render.prose import advice
from lockwarden.tui.render.reasons import Remark, problems, reasons, remarks
from lockwarden.tui.render.review import render_placeholder
from lockwarden.tui.render.text import lines
from lockwarden.tui.state.placeholders import unreadable

ROOT: Final = Path(__file__).parents[3]
OPTIONS: Final = "|".join(
    sorted(
        option
        for option in {opt for command in lockwarden.commands.values() for each in command.params for opt in each.opts}
        if option.startswith("--")
    )
)
COMMAND_LINE: Final = re.compile(
    rf"(?<![\w-])(?:{OPTIONS})(?![\w=-])|\blockwarden (?:{'|'.join(lockwarden.commands)})\b"
)
"""An option of ours, or a command."""
ANEW: Final = re.compile(r"\block again\b")
"""What is done with the module lock at a command line, where a key accepts."""
MAY_ADVISE: Final = re.compile(r"--|lockwarden(?!\.)|\bagain\b")
"""What stands in every file that has such a sentence, however its sentences are put together; others are not parsed."""
NOT_ON_THE_SCREEN: Final = (
    "core/engine/options.py",  # what is wrong with an option is told where it was written
    "core/registry_metadata/",  # of `registry`
    "core/http/politeness.py",
    "core/bundles/",  # what is wrong with evidence ends the command before there is a screen
    "core/engine/evidence_files.py",
    "core/engine/opened_evidence.py",
    "core/engine/given_attestations.py",
    "core/engine/organisation/",  # of `organisation`
    "core/engine/registries/",  # of `registry`
    "core/engine/policy_files.py",
    "core/engine/user_settings.py",  # what is wrong there ends the command before there is a screen
    "core/reports/",
    "core/git/",  # options of git
    "core/signatures/gpg.py",  # options of gpg
    "core/signatures/ssh_signing.py",  # of `approve-sign`
    "core/engine/approvals_signing.py",  # of `approve-sign`
    "core/module_packages/git_packages.py",  # options of git
    "core/review/module_review.py",  # of `check --modules`
)


def texts(top: str = "core") -> Iterator[tuple[str, str]]:
    """Every sentence of a folder that has words of the command line, with its file; what is filled in is `x`."""
    for path in sorted((ROOT / top).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(NOT_ON_THE_SCREEN):
            continue
        source = path.read_text(encoding="utf-8")
        if not MAY_ADVISE.search(source):
            continue
        tree = ast.parse(source)
        inner = {id(part) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr) for part in ast.walk(each)}
        documented = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        for each in ast.walk(tree):
            text = ""
            if isinstance(each, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in each.values)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in inner | documented:
                text = each.value
            if COMMAND_LINE.search(text) or (ANEW.search(text) and "modul" in name):
                yield name, text


@cache
def found() -> tuple[tuple[str, str], ...]:
    """Those of the core, which takes a while, and so not in every process that only looks for tests."""
    return tuple(sorted({*texts()}))


def test_the_sentences_of_the_core_are_found() -> None:
    assert len(found()) > 15
    assert {"core/coverage/reasons.py", "core/sources/offline.py"} <= {name for name, _ in found()}
    assert {"core/review/module_findings.py", "core/module_packages/meanings.py"} <= {name for name, _ in found()}


def test_the_screens_themselves_have_no_word_of_the_command_line() -> None:
    assert [each for each in texts("tui") if each[0] != "tui/render/advice.py"] == []


def test_each_sentence_that_has_words_of_the_command_line_has_a_counterpart() -> None:
    for name, text in found():
        assert COMMAND_LINE.search(on_screen(text)) is None, (name, text)
        assert "modul" not in name or ANEW.search(on_screen(text)) is None, (name, text)


def test_the_advice_for_every_problem_names_keys() -> None:
    for code in (each for each in ProblemCode if each not in {*MODULES, *REGISTRY_METADATA}):
        meaning = meaning_of(code)
        told = Problem(code=code, severity=Severity.ERROR, message=meaning.sense, hint=meaning.advice)
        shown = lines(*remarks([Remark.of(told)], 200)).plain
        assert COMMAND_LINE.search(shown) is None, code
        assert meaning.sense[:20] in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("check again with “--platform linux_amd64”", "s looks at linux_amd64, too"),
        (
            "review the package and add its h1 with “lockwarden lock --platform linux_amd64”",
            "review the package and add its h1: s looks at linux_amd64, a accepts what is suggested, w writes it",
        ),
        (
            "“lockwarden lock” adds what the sources can vouch for",
            "a accepts what the sources can vouch for, w writes it",
        ),
        ("leave --offline out to have it asked", "begin the review anew with the network to have it asked"),
        (
            "unset GIT_DIR for this command, or leave --base out",
            "unset GIT_DIR for this command, or choose another base with b",
        ),
        (
            "find out who moved it and why; to accept it, remove its block from the module lock and lock again",
            "find out who moved it and why; d shows what is new, a accepts it as it is today",
        ),
        ("begin it without --read-only, or serve it with --write", "begin the review anew as one that may write"),
        ("with -lockfile=readonly init fails", "with -lockfile=readonly init fails"),
        ("“git sparse-checkout disable” brings it back", "“git sparse-checkout disable” brings it back"),
    ],
)
def test_the_key_is_named_that_does_it_and_other_programs_keep_their_words(text: str, shown: str) -> None:
    assert on_screen(text) == shown


HINT: Final = "give it more time with --timeout"


def told_by_a_problem() -> Iterable[Content]:
    problem = Problem(code=ProblemCode.AUDIT_OUT_OF_TIME, severity=Severity.WARNING, message=HINT, hint=HINT)
    made = review([h1("a")], Audit(address=ADDRESS, version=VERSION, source_answers=(), problems=(problem,)))
    return problems(made.providers[0], 200)


def told_by_a_reason() -> Iterable[Content]:
    (row,) = review([zh("a")]).providers[0].rows
    return reasons(replace(row, reasons=(Reason(tone=Tone.ADVICE, text=HINT),)), 200, whole=True)


def told_in_the_place_of_a_review() -> Iterable[Content]:
    return [render_placeholder(unreadable(InputError(HINT, hint=HINT)), 200)]


@pytest.mark.parametrize(
    "tell",
    [told_by_a_problem, told_by_a_reason, told_in_the_place_of_a_review, lambda: advice(HINT, 200)],
)
def test_wherever_it_is_shown_it_names_the_key(tell: object) -> None:
    assert callable(tell)
    shown = lines(*tell()).plain
    assert "ask again with r" in shown
    assert COMMAND_LINE.search(shown) is None


def test_advice_names_the_keys_that_a_person_chose() -> None:
    def told() -> tuple[str, str]:
        use_keys({"review.ask_again": "ctrl+r, f5", "review.base": "plus", "modules.accept": "backslash"})
        return (
            on_screen("Give it more time with --timeout, or leave --base out"),
            on_screen("lockwarden modules --lock adds one") + with_keys(", ⟨sources⟩ ⟨no key⟩"),
        )

    ran, accepted = copy_context().run(told)
    assert ran == "Give it more time where the review begins, or ask again with ^r, or choose another base with +"
    assert accepted == "\\ adds one, s ⟨no key⟩"
    assert on_screen("leave --base out") == "choose another base with b"


def test_the_keys_that_advice_names_are_those_of_the_bindings() -> None:
    assert {name: BY_NAME[name].key for name, _ in KEYS.values()} == dict(KEYS.values())
