"""What programs that run CI jobs take for a command in the log, by their documentation."""

from __future__ import annotations

import re

ACTING = re.compile(
    r"##[^\s#]*\["  # Azure Pipelines, TeamCity, and GitHub's older form: anywhere in a line
    r"|^\s*::"  # GitHub Actions, which trims the line
    r"|^\s*(?:---|\+\+\+|~~~|\^\^\^) "  # groups of Buildkite
    r"|section_(?:start|end):\d+:[^\r\n]*\r",  # sections of GitLab
    re.MULTILINE,
)
