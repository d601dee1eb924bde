"""Which redirects are followed, how many, and where credentials go along.

Stricter than the clients, which follow https to http and take credentials along. A redirect never leads from https to
plain http, nor into this machine. Secrets are sent to the hosts that they are for alone, and never again once a
redirect has led elsewhere.

Two others may only refuse more: a run that may ask a few hosts alone (`politeness`), and git, which follows a redirect
of its first request only (`module_packages.git_remotes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lockwarden.core.http.server_words import holds
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import (
    LONGEST_URL,
    host_of,
    is_inside,
    is_loopback,
    joined,
    objection,
    readable,
    redacted,
)

if TYPE_CHECKING:
    import httpx

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""The statuses that are redirects. Any other answer is final, whatever `Location` it has."""
MOST_REDIRECTS: Final = 9
"""Of one question. The clients send ten requests at most."""
MOST_OF_A_NETWORK_MIRROR: Final = 5
"""As many as OpenTofu follows for a network mirror's documents."""
MOST_OF_A_TOKEN: Final = 5
"""Of a question for an OCI registry's token, which the user's password may go along with."""
_SECRET_HEADERS: Final = frozenset({"authorization", "cookie", "proxy-authorization"})


def takes_secrets(url: httpx.URL, *, hosts: frozenset[str], plain: bool, so_far: bool) -> bool:
    """Whether secrets that are for these hosts may be sent to a URL: only where nobody on the way can read them.

    `plain` allows plain http to this machine. `so_far` is whether every URL before took them: what came back from
    elsewhere may have been sent back by somebody who wants them.
    """
    private = url.scheme == "https" or (plain and is_loopback(url.host))
    return so_far and private and host_of(url) in hosts


def headers_to_send(headers: Mapping[str, str], *, secrets: bool) -> dict[str, str]:
    """The headers of a request, without those that hold secrets where none may be sent."""
    return {name: value for name, value in headers.items() if secrets or name.lower() not in _SECRET_HEADERS}


def check_count(seen: Sequence[str], most: int, *, stage: Stage) -> None:
    """Raise NoAnswerError when there were more redirects than `most`; `seen` are the URLs that redirected, redacted."""
    if len(seen) > most:
        raise NoAnswerError(
            f"more than {most} redirects, the last one from {seen[-1]}",
            stage=stage,
            code=ProblemCode.TOO_MANY_REDIRECTS,
            hint="the server leads in a circle; ask who runs it",
        )


def redirect_target(
    url: httpx.URL,
    response: httpx.Response,
    *,
    stage: Stage,
    insecure_hosts: frozenset[str],
    secrets: frozenset[str] = frozenset(),
) -> httpx.URL:
    """Where an answer with a redirect leads. Raises BadAnswerError for nowhere, NoAnswerError where it may not lead.

    It may not lead to a URL that has one of the `secrets` in what is shown of it, unless the one that was asked has.
    """
    location = response.headers.get("location", "")
    if not location:
        raise BadAnswerError(
            f"{redacted(url)} answered with a redirect ({response.status_code}) to nowhere",
            stage=stage,
            code=ProblemCode.REDIRECT_BROKEN,
        )
    if holds(location.partition("?")[0], secrets) and not holds(str(url), secrets):
        raise _refused(url, "somewhere", "the URL repeats the credentials that were sent", stage)
    return redirect_url(url, location, stage=stage, insecure_hosts=insecure_hosts)


def redirect_url(url: httpx.URL, location: str, *, stage: Stage, insecure_hosts: frozenset[str]) -> httpx.URL:
    """Where a redirect from `url` leads; `location` is a URL, which httpx has made sure of.

    Raises NoAnswerError when it may not be followed.
    """
    if len(location) > LONGEST_URL:
        raise _refused(url, "somewhere", f"the URL has {len(location)} characters, the limit is {LONGEST_URL}", stage)
    import httpx

    try:
        target = readable(joined(url, location)).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError):
        raise _refused(url, "somewhere", "the URL cannot be read", stage) from None
    reason = objection(target, insecure_hosts)
    if url.scheme == "https" and target.scheme == "http":
        reason = "it leads from https to plain http"
    elif not reason and is_inside(target.host) and not is_inside(url.host):
        reason = "it leads to an address inside this machine or its network link"
    if reason:
        raise _refused(url, redacted(target), reason, stage)
    return target


def unreadable_target(url: httpx.URL, stage: Stage) -> SourceError:
    """The error for a redirect from `url` that httpx, which looks before we can, cannot read."""
    return NoAnswerError(
        f"the redirect from {redacted(url)} is refused: where it leads cannot be read",
        stage=stage,
        code=ProblemCode.REDIRECT_REFUSED,
        hint="tell whoever runs the server",
    )


def _refused(url: httpx.URL, target: str, reason: str, stage: Stage) -> SourceError:
    return NoAnswerError(
        f"the redirect from {redacted(url)} to {target} is refused: {reason}",
        stage=stage,
        code=ProblemCode.REDIRECT_REFUSED,
        hint="name the right address in the configuration, or tell whoever runs the server",
    )
