"""The explanation of one provider tells everything that led to the answer, and why the exit code is what it is."""

from __future__ import annotations

import pytest
from builders.audits import (
    ADDRESS,
    DARWIN,
    FINGERPRINT,
    LINUX,
    MIRROR,
    SUMS,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    zh,
)
from builders.reported import GADGET, RIGHT, STRANGE, attacked, half_answered, origin, silent, swapped, well
from builders.run_results import SIGNATURE, locked, review_of
from builders.standards import EVERYWHERE, approval, side, standards, trusting
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.policy.model import Policy, PolicyRequirement, Rule, TrustedMirror
from lockwarden.core.reports.explain import explain
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.review import Review
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeyJudgement, SignatureState


def told(review: Review) -> list[str]:
    return list(explain(review, ADDRESS))


def section(review: Review, title: str) -> list[str]:
    lines = told(review)
    start = lines.index(title) + 1
    end = next((place for place in range(start, len(lines)) if not lines[place]), len(lines))
    return [line.removeprefix("  ") for line in lines[start:end]]


def test_it_begins_with_the_provider_and_what_its_exit_code_means() -> None:
    assert told(well())[0] == "registry.example.test/acme/widget 1.2.3: nothing to object to"
    assert told(swapped())[0].startswith("registry.example.test/acme/widget 1.2.3: findings")
    assert told(silent())[0].endswith(": something was not asked or did not answer, and nothing worse was found")


def test_where_nobody_answered_no_client_has_anything_to_say() -> None:
    assert section(well(), "Sources")[-1] == "together: signed"
    assert section(silent(), "Sources") == ["direct no answer: connection refused"]


def test_another_provider_is_not_mixed_in() -> None:
    assert str(GADGET) not in "\n".join(told(swapped()))


def test_a_provider_that_is_not_locked_is_an_error() -> None:
    with pytest.raises(KeyError):
        list(explain(well(), GADGET))


def test_the_entry_is_told_with_its_line_and_its_hashes() -> None:
    assert section(well(), "Entry") == ["line 1, version 1.2.3, constraints >= 1.0.0", "2 hashes: 1 h1, 1 zh"]
    entry = replace(locked(Hash("x9:odd"), line=8), constraints="")
    assert section(review_of([entry], audit(origin())), "Entry") == [
        "line 8, version 1.2.3, constraints none",
        "1 hashes: 1 x9",
        "none of them is of a scheme that the clients know, so every client accepts any package",
    ]
    assert section(review_of([locked()], audit(origin())), "Entry")[1] == "0 hashes"


def test_the_change_is_told_against_every_side() -> None:
    title = "Change against origin/main (c0ffee012345)"
    lines = section(swapped(), title)
    assert lines[0] == "version 1.2.3, 2 hashes at origin/main"
    assert lines[1].startswith("error: hashes swapped: ")
    assert section(well(standards(side(locked(*RIGHT)))), title)[1:] == ["nothing changed"]
    assert section(well(standards(side())), title)[0] == "not locked at origin/main"
    assert not any(line.startswith("Change against") for line in told(well()))


def test_the_rules_of_the_policy_that_speak_of_it_are_named() -> None:
    rule = Rule(".lockwarden.hcl", 9)
    mirrors = tuple(
        TrustedMirror(rule=rule, location=f"https://{name}.example.test/", trusted=name == "good", providers=EVERYWHERE)
        for name in ("good", "bad")
    )
    requirements = (
        PolicyRequirement(rule=rule, providers=EVERYWHERE),
        PolicyRequirement(
            rule=rule,
            providers=EVERYWHERE,
            signed=True,
            platforms=frozenset({LINUX, DARWIN}),
            schemes=frozenset({"h1"}),
            hosts=frozenset({"registry.example.test"}),
            namespaces=frozenset({"acme"}),
        ),
    )
    policy = replace(trusting(), mirrors=mirrors, requirements=requirements)
    needs = "signatures; platforms darwin_arm64, linux_amd64; schemes h1"
    places = "a host among registry.example.test; a namespace among acme"
    assert section(well(standards(policy=policy)), "Policy") == [
        f".lockwarden.hcl line 3: signed by {FINGERPRINT} (Example Releases)",
        ".lockwarden.hcl line 9: https://good.example.test/ is trusted",
        ".lockwarden.hcl line 9: https://bad.example.test/ is not trusted",
        ".lockwarden.hcl line 9: requires nothing",
        f".lockwarden.hcl line 9: requires {needs}; {places}",
    ]
    nameless = replace(policy.keys[0], owner="")
    assert section(well(standards(policy=Policy(keys=(nameless,)))), "Policy")[0].endswith(FINGERPRINT)
    assert "Policy" not in told(well())


def test_each_source_says_what_it_answered() -> None:
    folder = answer(MIRROR, (h1("other"), computed(LINUX, source=MIRROR, package_zh=zh("other"))))
    lines = section(review_of([locked(*RIGHT)], audit(origin(), folder)), "Sources")
    assert lines[0] == "direct answered; linux_amd64 answered"
    assert lines[1] == "  list of 1 zh hashes, complete, signed by 89ABCDEF01234567"
    assert lines[2] == "mirror (network mirror) answered"
    assert lines[-1] == "together: signed"
    unsigned = section(review_of([locked(*RIGHT)], audit(origin_with(LINUX, authenticated=False))), "Sources")
    assert unsigned[1] == "  list of 1 zh hashes, complete, not authenticated"
    (signed_list,) = origin().lists
    partly = replace(origin(), lists=(replace(signed_list, complete=False),))
    assert ", not complete, " in section(review_of([locked(*RIGHT)], audit(partly)), "Sources")[1]
    assert section(review_of([locked(*RIGHT)]), "Sources") == ["the audit has not ended"]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy(), "no policy names keys for this provider"),
        (trusting(), "trusted by .lockwarden.hcl line 3"),
        (trusting("F" * 40), "not a key that the policy names for this provider"),
    ],
)
def test_each_key_says_who_trusts_it_and_what_it_signed(policy: Policy, expected: str) -> None:
    lines = section(well(standards(policy=policy)), "Keys")
    assert lines[0].startswith("0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567  Example Releases")
    assert lines[1:] == [f"  {expected}", "  SHA256SUMS of direct: good, covers 1 hashes"]


def test_a_signature_that_is_no_keys_is_told_with_its_issuer() -> None:
    (judgement,) = SIGNATURE.judgements
    bad = KeyJudgement(position=0, state=SignatureState.BAD, keys=judgement.keys, fingerprint=FINGERPRINT, detail="no")
    unknown = replace(
        SIGNATURE,
        document=replace(SUMS, name="other"),
        issuers=("F" * 40,),
        judgements=(KeyJudgement(position=0, state=SignatureState.UNKNOWN_ISSUER, keys=judgement.keys),),
    )
    said = replace(origin(), signatures=(replace(SIGNATURE, judgements=(bad,)), unknown))
    lines = section(review_of([locked(*RIGHT)], audit(said)), "Keys")
    assert "  SHA256SUMS of direct: bad signature (no), did not sign it" in lines
    assert lines[-1] == f"other of direct names {'F' * 40} as its signer, which nobody offers"


def test_every_hash_has_its_verdict_its_reasons_and_its_evidence() -> None:
    lines = section(swapped(), "Hashes")
    assert f"✗ unexplained {STRANGE} (line 6, platform unknown), undecided" in lines
    assert f"✓ confirmed {RIGHT[0]} (line 5, platform linux_amd64), keep" in lines
    assert any(line.startswith("+ new ") for line in lines)
    assert "      key 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567" in lines
    assert f"      SHA256SUMS sha256 {'5' * 64}, https://registry.example.test/SHA256SUMS" in lines
    assert "  · added in this change: it is not locked at origin/main" in lines
    assert "  · removed in this change: it was locked at origin/main" in lines


def test_problems_stand_with_their_hint_and_changes_only_once() -> None:
    problem = Problem(
        code=ProblemCode.REGISTRY_WARNING, severity=Severity.WARNING, message="it is odd", hint="look", source="direct"
    )
    bare = replace(problem, message="it is bare", hint="", source="")
    review = review_of([locked(*RIGHT)], audit(replace(origin(), problems=(problem, bare))))
    assert section(review, "Problems") == ["warning: it is odd (direct)", "  → look", "warning: it is bare"]
    assert "Problems" not in told(swapped())


def test_where_a_client_would_not_install_it_says_so() -> None:
    review = review_of([locked(RIGHT[0])], audit(origin()))
    assert any("linux_amd64 from direct" in line for line in section(review, "Would a client install it"))
    assert "Would a client install it" not in told(well())


def test_the_exit_code_is_explained() -> None:
    lines = section(swapped(), "Exit code")
    assert lines[0] == "of this provider alone 1: findings: something speaks against committing the lock file"
    assert lines[1].startswith("  ✗ hashes swapped: ")
    assert lines[2].startswith("  ✗ unexplained hash: ")
    assert lines[-1] == "of the whole lock file 1: findings: something speaks against committing the lock file"
    assert section(well(), "Exit code") == [
        "of this provider alone 0: nothing to object to",
        "of the whole lock file 0: nothing to object to",
    ]
    (open_question,) = [line for line in section(half_answered(), "Exit code") if line.startswith("  ? ")]
    assert open_question.endswith(": direct, package of darwin_arm64: no answer: status 503")


def test_the_exit_code_of_the_file_may_be_worse_than_that_of_the_provider() -> None:
    review = review_of(
        [locked(*RIGHT), locked(STRANGE, address=GADGET, line=20)], audit(origin()), audit(origin(), address=GADGET)
    )
    lines = section(review, "Exit code")
    assert (lines[0][:27], lines[-1][:26]) == ("of this provider alone 0: n", "of the whole lock file 1: ")


@pytest.mark.parametrize(
    ("hashes", "expected"), [((STRANGE,), "1 unexplained hash is"), ((STRANGE, h1("b")), "2 unexplained hashes are")]
)
def test_approved_hashes_are_a_reason_too(hashes: tuple[Hash, ...], expected: str) -> None:
    held = standards(approvals=[approval(*hashes)])
    review = review_of([locked(*RIGHT, *hashes)], audit(origin()), standards=held)
    assert f"  ✓ {expected} approved on record" in section(review, "Exit code")


def test_hostile_text_does_nothing_once_it_is_shown() -> None:
    for file in attacked().files:
        for provider in file.review.providers if file.review is not None else ():
            text = shown(explain(file.review, provider.address)) if file.review is not None else ""
            assert text
            assert all(line.isprintable() for line in text.splitlines())
