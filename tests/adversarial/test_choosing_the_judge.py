"""Whatever configuration, tags and branches a change adds: with a base, the answer is never better than without."""

from __future__ import annotations

from adversarial.attack import BASE_NAMES, CONTENTS, VARIABLES, Attack
from adversarial.scene import BOTH
from builders.thorough import THOROUGH
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

_BETTER = {0: 0, 3: 1, 1: 2, 2: 3}
"""Exit codes, the best first."""
NAMES = (
    ".tofurc",
    ".terraformrc",
    "ci/tofurc",
    ".terraform.d/x.tfrc",
    ".terraform.d/plugins/terraform-credentials-vault",
    ".config/opentofu/tofurc",
    ".config/opentofu/y.tfrc.json",
    ".docker/config.json",
    ".gitconfig",
    "bin/gpg",
    "bin/git",
    "gpg",
    "vendored/x",
    "terraform.d/plugins/x",
)
REFS = ("tags/{}", "heads/{}", "{}", "tags/remotes/{}", "tags/refs/remotes/{}", "heads/refs/heads/{}", "replace/{}")


def test_a_tag_that_is_called_like_the_base_is_refused_with_the_full_names(attack: Attack) -> None:
    attack.refer(["tags/{}"], "origin/main")
    done = attack.scene.check_to_its_end("--base", "origin/main", *BOTH, expected=2)
    main, change = attack.git("rev-parse", "refs/heads/main"), attack.git("rev-parse", "HEAD")
    assert f"refs/tags/origin/main ({change[:12]}), refs/remotes/origin/main ({main[:12]})" in done.err
    assert "such as refs/remotes/origin/main" in done.err
    report = attack.scene.check("--base", "refs/remotes/origin/main", *BOTH, expected=1).report
    (side,) = report["lock_files"][0]["base"]["sides"]
    assert (side["ref"], side["commit"]) == ("refs/remotes/origin/main", main)
    told = attack.scene.run("check", "--base", "main", *BOTH).out
    assert f"Changes against main (refs/heads/main, {main[:12]})" in told


@settings(
    max_examples=200 if THOROUGH else 6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    files=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(sorted(CONTENTS)), max_size=4),
    refs=st.lists(st.sampled_from(REFS), max_size=2, unique=True),
    base=st.sampled_from(BASE_NAMES),
    led=st.sampled_from(sorted(VARIABLES)),
    link=st.booleans(),
)
def test_nothing_that_a_change_adds_makes_the_answer_better(
    attack: Attack, files: dict[str, str], refs: list[str], base: str, led: str, link: bool
) -> None:
    attack.reset()
    before = attack.without(led)
    attack.add(files, link=link)
    attack.refer(refs, base)
    assert _BETTER[attack.code(base, led)] >= _BETTER[before]
    assert before in {1, 2}
