"""Which problem codes say that something was not checked, so that the answer stays open."""

from __future__ import annotations

from typing import Final

from lockwarden.core.values.problem_codes import ProblemCode

OPEN_CODES: Final = frozenset({ProblemCode.REQUIREMENT_OPEN, ProblemCode.LOCK_FILE_NOT_LOOKED_AT})
"""What was not found out of entries and lock files that went."""
OPEN_STANDARDS: Final = frozenset(
    {
        ProblemCode.POLICY_OF_ANOTHER_USER,
        ProblemCode.BASE_STANDARDS_UNREADABLE,
        ProblemCode.APPROVALS_SIGNATURE_UNSUPPORTED,
    }
)
"""What leaves open by what the lock file should be judged."""
OPEN_MODULES: Final = frozenset(
    {
        ProblemCode.MODULE_UNKNOWN,
        ProblemCode.MODULE_OTHER_SOURCE,
        ProblemCode.MODULE_UNRESOLVED,
        ProblemCode.MODULE_NOT_COMPARED,
        ProblemCode.MODULE_LOCK_UNCHECKED,
    }
)
OPEN_METADATA: Final = frozenset({ProblemCode.METADATA_SAMPLE_OPEN})
"""What was not found out of a registry's metadata."""
