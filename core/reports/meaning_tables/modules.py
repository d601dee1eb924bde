"""What is odd about the modules that a configuration calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

MODULES: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.MODULE_REFUSED: Meaning(
        "module refused",
        "The client does not install the module: its call or its address cannot be used.",
        "Correct the call.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_SECRET: Meaning(
        "secret in a module's address",
        "The address of the module holds what may be a secret, for everybody who can read the file.",
        "Take it out of the source, give it to git, .netrc or the CLI configuration, and have it replaced.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_TRANSPORT: Meaning(
        "module over an open connection",
        "Anybody on the way can change what the module's address gives.",
        "Fetch it by https or ssh, or call it as a local module.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_UNKNOWN: Meaning(
        "module not known",
        "The source or the version is an expression, which only a run can know.",
        "Write both as plain texts.",
    ),
    ProblemCode.MODULE_MISSING: Meaning(
        "module not installed",
        "The module is listed as installed, and its folder is not there.",
        "tofu init or terraform init installs it anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_OTHER_SOURCE: Meaning(
        "module from another source",
        "What is installed came from another source than the call has now, so it was not looked into.",
        "tofu init or terraform init installs it anew.",
    ),
    ProblemCode.MODULE_ABSENT: Meaning(
        "module's source gone",
        "The source answers, and has no such tag, branch, version or repository.",
        "Look for the name in the source; a typing error and a removed tag look alike.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_UNRESOLVED: Meaning(
        "module not resolved",
        "What the source means today could not be asked, or cannot be asked yet for its kind.",
        "Ask again when it answers; the message says what stood in the way.",
    ),
    ProblemCode.MODULE_NOT_LOCKED: Meaning(
        "module not locked",
        "The module lock has no entry for the source.",
        "Look at the module, then add the entry with lockwarden modules --lock.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_MOVED: Meaning(
        "module moved",
        "The source means something else today than when it was locked.",
        "Find out who moved it and why. To accept it, remove its block from the module lock and lock again.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_CHANGED: Meaning(
        "installed module changed",
        "The installed files are not those that were locked.",
        "Remove the folder and install it anew; if that changes nothing, the source has other files now.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_NOT_COMPARED: Meaning(
        "module not compared",
        "The installed files could not be held against the module lock.",
        "Remove its block from the module lock, install the module, and lock again.",
    ),
    ProblemCode.MODULE_PACKAGE_REFUSED: Meaning(
        "module package refused",
        "The registry's manifest is none of a module package that the client installs.",
        "Whoever pushed it has to push it anew, as OpenTofu expects it.",
        severity=Severity.ERROR,
    ),
}
