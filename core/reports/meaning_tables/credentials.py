"""What is wrong with credentials, and with the programs that keep them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode

CREDENTIALS: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.ACCESS_REFUSED: Meaning(
        "access refused",
        "A registry that needs no credentials refuses the request.",
        "A proxy or a filter on the way may answer in its place, or it refuses this network; try from another one.",
    ),
    ProblemCode.CREDENTIALS_REQUIRED: Meaning(
        "credentials required",
        "The source wants credentials, and there are none for it.",
        "Add them to the CLI configuration, or log in.",
    ),
    ProblemCode.CREDENTIALS_REJECTED: Meaning(
        "credentials rejected",
        "The source rejected the credentials.",
        "Renew them, and look whether they may read this.",
    ),
    ProblemCode.CREDENTIALS_UNUSABLE: Meaning(
        "credentials not usable",
        "The credentials cannot be sent or are of another kind than the source wants.",
        "Look for a line end or a quotation mark in them, or give a user name and a password.",
    ),
    ProblemCode.CREDENTIALS_WITHHELD: Meaning(
        "credentials withheld",
        "The registry sends to a token server on another host, and the credentials were not sent there.",
        "If that host is to see them, name it with --token-host.",
    ),
    ProblemCode.AUTHENTICATION_UNKNOWN: Meaning(
        "unknown authentication",
        "The registry asks for a way of authentication that is not known.",
        "Registries ask for Basic or Bearer; a proxy may answer in its place.",
    ),
    ProblemCode.TOKEN_REALM_REFUSED: Meaning(
        "token server refused",
        "The registry sends to a token server that cannot be asked safely.",
        "Whoever runs the registry has to name another one.",
    ),
    ProblemCode.TOKEN_UNUSABLE: Meaning(
        "token not usable",
        "What the token server answered is no token.",
        "Look whether the registry's address is right; a proxy or a log-in page may answer in its place.",
    ),
    ProblemCode.HELPER_FAILED: Meaning(
        "credentials helper failed",
        "The credentials helper ended with an error.",
        "Run it yourself to see why.",
    ),
    ProblemCode.HELPER_GARBAGE: Meaning(
        "credentials helper unintelligible",
        "The credentials helper answered something that cannot be read.",
        "Run it yourself to see what it says.",
    ),
    ProblemCode.HELPER_MISSING: Meaning(
        "credentials helper missing",
        "The credentials helper that is configured is not installed.",
        "Install it, or remove its configuration.",
    ),
    ProblemCode.HELPER_NAME: Meaning(
        "credentials helper misnamed",
        "The configuration names a credentials helper as no program can be called.",
        "Correct the name.",
    ),
    ProblemCode.HELPER_NOT_STARTED: Meaning(
        "credentials helper not started",
        "The credentials helper cannot be started.",
        "Look whether it may be executed.",
    ),
    ProblemCode.HELPER_OUTPUT: Meaning(
        "credentials helper too talkative",
        "The credentials helper wrote more than the limit.",
        "Run it yourself to see what it says.",
    ),
    ProblemCode.HELPER_TIMEOUT: Meaning(
        "credentials helper out of time",
        "The credentials helper did not end in time.",
        "Run it yourself; it may wait for somebody to type.",
    ),
    ProblemCode.HELPER_TOKEN: Meaning(
        "credentials helper gives a token",
        "The credentials helper gave a token, where only a user name and a password can be used.",
        "Log in with a user name and a password, or use an oci_credentials block.",
    ),
}
