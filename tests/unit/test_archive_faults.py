"""What is wrong with an archive has a code for where it lies: in a folder of packages, or in a container image."""

from __future__ import annotations

import pytest

from lockwarden.core.values.archive_faults import ArchiveFault, image_code, package_code
from lockwarden.core.values.problem_codes import ProblemCode


@pytest.mark.parametrize(
    ("fault", "of_package", "of_image"),
    [
        (ArchiveFault.BROKEN_LINK, ProblemCode.PACKAGE_BROKEN_LINK, ProblemCode.IMAGE_BROKEN_LINK),
        (ArchiveFault.WRONG_DATA, ProblemCode.PACKAGE_FAILED, ProblemCode.IMAGE_WRONG_DATA),
        (ArchiveFault.CHANGED, ProblemCode.PACKAGE_CHANGED, ProblemCode.PACKAGE_FAILED),
    ],
)
def test_a_fault_that_is_never_met_in_a_place_says_there_that_the_package_could_not_be_had(
    fault: ArchiveFault, of_package: ProblemCode, of_image: ProblemCode
) -> None:
    assert (package_code(fault), image_code(fault)) == (of_package, of_image)
