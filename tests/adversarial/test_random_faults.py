"""Three answers in ten fail, in run after run: what is said is right, or is honestly incomplete, and never wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from adversarial.parties import Parties
from adversarial.scene import LINUX, Answered, Scene, entry, packages, unsigned
from hypothesis import settings
from servers.chance import Chance, Mishap
from servers.in_process import asking_again_at_once

RUNS = 30 if settings.get_current_profile_name() == "quick" else 2_000
PROBABILITY = 0.3
PLATFORM = "linux_amd64"
DENIALS = frozenset({"not-at-origin", "version-withdrawn"})
"""What is told of a registry whose well-formed answer says that there is no such service, provider or version."""


@pytest.fixture
def no_waiting() -> Iterator[None]:
    """Let everybody ask again at once."""
    with asking_again_at_once():
        yield


@pytest.mark.usefixtures("no_waiting")
def test_with_three_answers_in_ten_failing_the_verdicts_are_right_or_honestly_incomplete(
    scene: Scene, parties: Parties
) -> None:
    made = unsigned("widget")
    release = parties.sign(replace(made, packages={PLATFORM: made.packages[PLATFORM]}))
    hostile = packages("widget", build="by nobody")[PLATFORM]
    good = release.packages[PLATFORM].hashes
    scene.lock(entry(release, *good, *hostile.hashes))
    scene.serve(release)
    undisturbed = scene.check(*LINUX, "--no-cache", expected=1)
    right = {hostile.zh: "disowned", hostile.h1: "unexplained"} | dict.fromkeys(good, "confirmed")
    assert undisturbed.verdicts("widget") == right
    assert undisturbed.codes("widget") == set()

    mishaps: Counter[Mishap] = Counter()
    endings: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(RUNS):
        chance = Chance(seed=seed, probability=PROBABILITY)
        scene.serve(release, through=chance.of)
        done = scene.check_any(*LINUX, "--no-cache")
        mishaps += chance.happened
        endings[ending(done, right)] += 1
        wrong += [f"seed {seed}: {what}\n{done.told}" for what in broken_laws(done, right)]
    assert wrong == [], "\n".join(wrong)
    assert set(mishaps) == set(Mishap)
    assert mishaps.total() > RUNS
    assert min(endings["as undisturbed"], endings["incomplete"], endings["partly"]) > RUNS // 20, endings


def ending(done: Answered, right: dict[str, str]) -> str:
    verdicts = done.verdicts("widget")
    if verdicts == right:
        return "as undisturbed"
    return "incomplete" if set(verdicts.values()) == {"unchecked"} else "partly"


def broken_laws(done: Answered, right: dict[str, str]) -> Iterator[str]:
    """What must not be said, whatever failed."""
    codes, verdicts = done.codes("widget"), done.verdicts("widget")
    if not verdicts.keys() >= right.keys():
        yield "a hash went"
    for text in verdicts.keys() - right.keys():
        if verdicts[text] != "offered":
            yield f"{text}, which is not locked, is {verdicts[text]}"
    for text, honest in right.items():
        verdict = verdicts[text]
        if verdict in (honest, "unchecked"):
            continue
        if honest != "confirmed" and verdict in ("disowned", "unexplained"):
            continue  # a planted hash for another reason
        if verdict == "unexplained" and codes & DENIALS:
            continue
        yield f"{text} is {verdict} instead of {honest}"
    if verdicts != right and not codes:
        yield "nobody is told why something is missing"
    loud = {"disowned", "unexplained"} & set(verdicts.values()) or "error" in severities(done)
    if done.code != (1 if loud else 3):
        yield f"the exit code is {done.code}"
    if done.err:
        yield "stderr is not empty"


def severities(done: Answered) -> set[str]:
    return {problem["severity"] for problem in done.provider("widget")["problems"]}
