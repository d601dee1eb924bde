"""What can be wrong with a repository that is looked at beside many others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

ORGANISATIONS: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.REPOSITORY_MISSING: Meaning(
        "no clone",
        "There is no git repository in the place that was named. Nothing is cloned or fetched.",
        "Clone it there, or correct its name.",
        severity=Severity.ERROR,
    ),
    ProblemCode.REPOSITORY_UNREADABLE: Meaning(
        "repository cannot be read",
        "git does not take the folder for a repository, does not trust it, or cannot read it.",
        "See what git itself says there; a fresh clone mends what is damaged.",
        severity=Severity.ERROR,
    ),
    ProblemCode.REPOSITORY_IS_A_LINK: Meaning(
        "link among clones",
        "What lies among the clones is a link. It is not followed, since whoever made it chose where it leads.",
        "Name the repository that it leads to, if that is meant.",
        severity=Severity.NOTE,
    ),
    ProblemCode.REPOSITORY_TOO_LARGE: Meaning(
        "too many lock files",
        "The repository has more lock files, or different hashes, than one run looks at.",
        "Look at it by itself.",
        severity=Severity.ERROR,
    ),
    ProblemCode.REPOSITORY_WITHOUT_LOCK_FILE: Meaning(
        "no lock file in the repository",
        "The repository has no lock file at the revision.",
        "Nothing needs to be done where it needs none.",
        severity=Severity.NOTE,
    ),
    ProblemCode.REVISION_UNKNOWN: Meaning(
        "no such revision",
        "The clone has no such revision, or its name stands for several commits.",
        "Fetch it first, and write its full name, such as refs/remotes/origin/main.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SUBMODULE_NOT_LOOKED_AT: Meaning(
        "submodule",
        "A submodule is a repository of its own, whose lock files are not in this one.",
        "Name its own clone.",
        severity=Severity.NOTE,
    ),
}
