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
    ProblemCode.MODULE_RELOCKED: Meaning(
        "module locked as something else",
        "The change leaves the module's source as it is and locks it as another revision or as other files: a tag that"
        " was moved, and its new digest, come in one change.",
        "Find out who moved it and why, and read what is new in the module. Whoever may merge it past the check accepts"
        " it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_UNLOCKED: Meaning(
        "module taken out of the module lock",
        "The change removes the entry of a source that is still called, so that nothing would hold it any more.",
        "Leave the entry in, or take out the call as well.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_LOCK_FALSE: Meaning(
        "module lock is not true",
        "What the change locks for a source is not what the source means today, or not its files.",
        "Lock it again from a clean installation, and look at what differs.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_LOCK_ADDED: Meaning(
        "module locked",
        "The change adds an entry to the module lock, which says what the source means today.",
        "Look at the module before you accept the change.",
        severity=Severity.NOTE,
    ),
    ProblemCode.MODULE_LOCK_UNCHECKED: Meaning(
        "module lock not checked",
        "Whether an entry that the change adds says the truth is not known.",
        "Look at all configurations, with --recursive, and see that the source answers.",
    ),
    ProblemCode.MODULE_DIFFERENT: Meaning(
        "installed module is different",
        "What is installed is not what the source gives today. Whether it was changed here, or the source meant"
        " something else when it was installed, nobody wrote down.",
        "Install it anew; lock it, so that the two can be told apart the next time.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_OTHER_REVISION: Meaning(
        "other revision of a module installed",
        "What is installed is of another revision than the source means today.",
        "Find out what moved; tofu init -upgrade or terraform init -upgrade installs what it means today.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_CONFIGURATION_UNREADABLE: Meaning(
        "configuration not read",
        "A file of the configuration cannot be read, so that its module calls are not known.",
        "Correct the file; tofu validate or terraform validate says what is wrong with it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MODULE_PACKAGE_REFUSED: Meaning(
        "module package refused",
        "The registry's manifest is none of a module package that the client installs.",
        "Whoever pushed it has to push it anew, as OpenTofu expects it.",
        severity=Severity.ERROR,
    ),
}
