"""What the stable codes of reports mean, for people: a name, what each is about, what to do, how much it weighs.

The tables stand in `core/reports/meaning_tables`, by subject; every code is in one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.archives import ARCHIVES
from lockwarden.core.reports.meaning_tables.credentials import CREDENTIALS
from lockwarden.core.reports.meaning_tables.judgement import JUDGEMENT
from lockwarden.core.reports.meaning_tables.lock_files import LOCK_FILES
from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.reports.meaning_tables.mirrors import MIRRORS
from lockwarden.core.reports.meaning_tables.modules import MODULES
from lockwarden.core.reports.meaning_tables.network import NETWORK
from lockwarden.core.reports.meaning_tables.oci import OCI
from lockwarden.core.reports.meaning_tables.organisations import ORGANISATIONS
from lockwarden.core.reports.meaning_tables.other_signatures import OTHER_SIGNATURES
from lockwarden.core.reports.meaning_tables.packages import PACKAGES
from lockwarden.core.reports.meaning_tables.registry import REGISTRY
from lockwarden.core.reports.meaning_tables.registry_metadata import REGISTRY_METADATA
from lockwarden.core.reports.meaning_tables.signatures import SIGNATURES
from lockwarden.core.reports.meaning_tables.standards import STANDARDS
from lockwarden.core.values.problem_codes import ProblemCode

SUBJECTS: Final[Mapping[str, Mapping[ProblemCode, Meaning]]] = {
    "Verdicts, changes and what is known across sources": JUDGEMENT,
    "Policy, approvals and the lock file on disk": STANDARDS,
    "What the clients refuse in a lock file": LOCK_FILES,
    "Origin registries": REGISTRY,
    "Signatures": SIGNATURES,
    "Signatures beside GPG's": OTHER_SIGNATURES,
    "Network mirrors and folders": MIRRORS,
    "OCI registries": OCI,
    "Packages": PACKAGES,
    "Archives": ARCHIVES,
    "Connections, answers and limits": NETWORK,
    "Credentials": CREDENTIALS,
    "Modules": MODULES,
    "Metadata files of registries": REGISTRY_METADATA,
    "Repositories of an organisation": ORGANISATIONS,
}
"""The tables by their titles, in the order in which they are documented."""
_ALL: Final[Mapping[ProblemCode, Meaning]] = {
    code: meaning for table in SUBJECTS.values() for code, meaning in table.items()
}


def meaning_of(code: ProblemCode) -> Meaning:
    """The meaning of a code; every code has one."""
    return _ALL[code]
