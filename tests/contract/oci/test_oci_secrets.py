"""No Authorization ever reaches a host that it is not for, on every redirect and every way to a token.

A server that answers for every host name of the tests notes what it was asked with.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping

import pytest
from builders.mirrors import LINUX
from contract.oci.asking import ELSEWHERE, HOST, ORIGIN, Asking, Scripted, known, redirect, refused
from contract.oci.kinds import Shelf
from servers.https import Respond
from servers.oci_registry import PASSWORD, TokenGate, basic, digest_of
from servers.proxy import Proxy

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.oci.credentials import OciCredential
from lockwarden.core.oci.registry import Registries, RegistryRules
from lockwarden.core.oci.tags import list_tags
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.demo.world import Response

NAME = "mirror/plain"
TOKEN_SERVER = f"https://{HOST}/token"


def shelf() -> Shelf:
    made = Shelf()
    made.provider()
    return made


def asks_for_password(behind: Respond) -> Respond:
    """A registry that wants the right password everywhere, and other hosts that want nothing."""

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == HOST and headers.get("authorization") != basic():
            return refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"')
        return behind(host, path, headers)

    return respond


def strict_storage(behind: Respond) -> Respond:
    """Another host that refuses, as signed URLs of clouds do, any request with an Authorization."""

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == ELSEWHERE and "authorization" in headers:
            return Response.of_status(400, text="Only one auth mechanism allowed")
        return behind(host, path.removeprefix("/elsewhere"), headers)

    return respond


def leads_elsewhere(part: str, behind: Respond, target: str = f"https://{ELSEWHERE}/elsewhere") -> Respond:
    """The registry answers every request whose path holds `part` with a redirect."""

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == HOST and part in path:
            return redirect(f"{target}{path}")
        return behind(host, path, headers)

    return respond


def hashed(source_answer: SourceAnswer) -> bool:
    package = source_answer.package(LINUX)
    return package is not None and len(package.hashes) == 2 and not package.client_refusal


@pytest.mark.parametrize("part", ["/blobs/", "/manifests/", "/tags/"])
@pytest.mark.parametrize("guard", ["password", "token"])
def test_what_lies_on_another_host_is_had_without_credentials(asking: Asking, part: str, guard: str) -> None:
    behind = Scripted({NAME: shelf()}).respond
    redirecting = leads_elsewhere(part, behind)
    if guard == "password":
        guarded = asks_for_password(redirecting)
    else:
        gate = TokenGate(behind=redirecting, realm=TOKEN_SERVER)

        def guarded(host: str, path: str, headers: Mapping[str, str]) -> Response:
            return gate.respond(host, path, headers) if host == HOST else behind(host, path, headers)

    asking.server.serve(strict_storage(guarded))
    assert hashed(asking.ask(credentials=known()))
    seen = asking.secrets_at()
    assert seen[ELSEWHERE] == set()
    assert seen[HOST] == ({basic()} if guard == "password" else {basic(), "Bearer token-0"})
    assert [path for path in asking.asked() if "/elsewhere" in path]


@pytest.mark.parametrize("part", ["/blobs/", "/manifests/", "/tags/"])
def test_a_way_back_from_another_host_carries_no_credentials(asking: Asking, part: str) -> None:
    behind = Scripted({NAME: shelf()}).respond

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == ELSEWHERE:
            return redirect(f"https://{HOST}/back{path}")
        if path.startswith("/back"):
            assert "authorization" not in headers
            return behind(host, path.removeprefix("/back"), headers)
        if headers.get("authorization") != basic():
            return refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"')
        return redirect(f"https://{ELSEWHERE}{path}") if part in path else behind(host, path, headers)

    asking.server.serve(respond)
    assert hashed(asking.ask(credentials=known()))
    returned = [each for each in asking.server.journal.requests if each.path.startswith("/back")]
    assert returned
    assert {each.authorization for each in returned} == {None}
    assert asking.secrets_at()[ELSEWHERE] == set()


@pytest.mark.parametrize("part", ["/blobs/", "/manifests/", "/tags/"])
@pytest.mark.parametrize(
    "challenge", ['Basic realm="r"', f'Bearer realm="https://{ELSEWHERE}/token"', f'Bearer realm="{TOKEN_SERVER}"']
)
def test_a_challenge_of_another_host_is_not_answered(asking: Asking, part: str, challenge: str) -> None:
    behind = Scripted({NAME: shelf()}).respond

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == ELSEWHERE:
            return refused(401, "UNAUTHORIZED", WWW_Authenticate=challenge)
        return redirect(f"https://{ELSEWHERE}{path}") if part in path else behind(host, path, headers)

    asking.server.serve(respond)
    credentials = known()
    source_answer = asking.ask(credentials=credentials)
    assert not hashed(source_answer)
    assert credentials.asked == []
    assert asking.secrets_at() == {HOST: set(), ELSEWHERE: set()}
    assert asking.asked("/token") == []
    told = " ".join(problem.message for problem in source_answer.problems)
    assert "elsewhere" in told
    assert "credentials for the registry are for nobody else" in told


REALMS = {
    "another host": f"https://{ELSEWHERE}/token",
    "another port": f"https://{HOST}:8443/token",
    "plain http": f"http://{HOST}/token",
    "plain http elsewhere": f"http://{ELSEWHERE}/token",
    "this machine": "https://127.0.0.1/token",
    "this machine by name": "https://localhost/token",
    "a private address": "https://10.0.0.1/token",
    "a cloud's metadata": "https://169.254.169.254/token",
    "a file": "file:///etc/passwd",
    "a password in it": f"https://user:pw@{HOST}/token",
    "no URL": f"https://{HOST}:port/token",
    "nothing": "",
}


@pytest.mark.parametrize("name", REALMS)
def test_a_realm_elsewhere_never_sees_the_password(asking: Asking, proxy: Proxy, name: str) -> None:
    gate = TokenGate(behind=Scripted({NAME: shelf()}).respond, realm=REALMS[name])
    asking.server.serve(gate.respond)
    source_answer = asking.ask(credentials=known())
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert all(seen == set() for seen in asking.secrets_at().values())
    (problem,) = source_answer.problems
    assert problem.hint
    asked_for_token = asking.asked("/token")
    if name == "another host":
        assert problem.code == "credentials-withheld"
        assert len(asked_for_token) == 1  # without credentials
    elif name == "another port":
        assert asked_for_token == []  # the tests' proxy leads to no other port
    else:
        assert problem.code == "token-realm-refused"
        assert asked_for_token == []
        assert proxy.refused.requests == ()


def test_a_token_server_that_leads_elsewhere_does_not_take_the_password_along(asking: Asking) -> None:
    gate = TokenGate(behind=Scripted({NAME: shelf()}).respond, realm=TOKEN_SERVER)

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if host == HOST and path.startswith("/token"):
            return redirect(f"https://{ELSEWHERE}{path}")
        return gate.respond(host, path, headers)

    asking.server.serve(respond)
    source_answer = asking.ask(credentials=known())
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert asking.secrets_at() == {HOST: {basic()}, ELSEWHERE: set()}
    assert [chain.credentials for chain in source_answer.chains] == [ORIGIN]  # though nobody took it


def test_a_token_is_never_sent_to_its_token_server_nor_a_password_to_the_registry(asking: Asking) -> None:
    gate = TokenGate(behind=Scripted({NAME: shelf()}).respond, realm=f"https://{ELSEWHERE}/token")
    asking.server.serve(gate.respond)
    rules = RegistryRules(token_hosts=frozenset({ELSEWHERE}))
    assert hashed(asking.ask(credentials=known(), rules=rules))
    assert asking.secrets_at() == {HOST: {"Bearer token-0"}, ELSEWHERE: {basic()}}


def test_that_a_password_was_withheld_is_told_where_a_token_without_it_does_not_do(asking: Asking) -> None:
    gate = TokenGate(behind=Scripted({NAME: shelf()}).respond, realm=f"https://{ELSEWHERE}/token", anonymous=True)

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return refused(403, "DENIED") if "authorization" in headers else gate.respond(host, path, headers)

    asking.server.serve(respond)
    source_answer = asking.ask(credentials=known())
    (problem,) = source_answer.problems
    assert problem.code == "credentials-withheld"
    assert "DENIED" in problem.message
    assert ELSEWHERE in problem.hint
    assert asking.secrets_at() == {HOST: {"Bearer token-0"}, ELSEWHERE: set()}


def test_credentials_for_one_registry_do_not_go_to_another(asking: Asking) -> None:
    asking.server.serve(asks_for_password(Scripted({NAME: shelf()}).respond))
    credentials = known(ELSEWHERE)
    source_answer = asking.ask(credentials=credentials)
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert credentials.asked == [(HOST, NAME)]
    assert [problem.code for problem in source_answer.problems] == ["credentials-required"]
    assert asking.secrets_at() == {HOST: set()}


def test_a_link_to_a_next_page_elsewhere_is_not_followed(asking: Asking) -> None:
    scripted = Scripted({NAME: shelf()})
    first = scripted.plain(f"/v2/{NAME}/tags/list")
    link = f'<https://{ELSEWHERE}/v2/{NAME}/tags/list?n=1>; rel="next"'
    scripted.special[f"/v2/{NAME}/tags/list"] = Response(headers=(*first.headers, ("Link", link)), body=first.body)
    asking.server.serve(asks_for_password(scripted.respond))
    source_answer = asking.ask(credentials=known())
    assert [problem.code for problem in source_answer.problems] == ["link-elsewhere"]
    assert asking.secrets_at() == {HOST: {basic()}}


def everything_told(source_answer: SourceAnswer) -> str:
    return repr(source_answer)


SECRETS = ("s3cret-p", PASSWORD, "token-0", basic().removeprefix("Basic "), "opaque-access-token")


@pytest.mark.parametrize(
    "answer",
    [
        lambda headers: refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"'),
        lambda headers: refused(403, "DENIED"),
        lambda headers: Response.of_status(418),
        lambda headers: Response(headers=(("Content-Type", "text/html"),), body=b"<html>"),
    ],
)
def test_no_secret_is_told_whatever_goes_wrong(asking: Asking, answer: Callable[[Mapping[str, str]], Response]) -> None:
    for part in (f"/v2/{NAME}/tags/list", f"/v2/{NAME}/manifests/1.2.3"):
        scripted = Scripted({NAME: shelf()}, {part: answer})
        for credential in (None, OciCredential(origin=ORIGIN, access_token="opaque-access-token")):
            gate = TokenGate(behind=scripted.respond, realm=TOKEN_SERVER)
            gate.given.append(("opaque-access-token", f"repository:{NAME}:pull"))
            asking.server.serve(gate.respond)
            source_answer = asking.ask(credentials=known(HOST, credential))
            assert not [secret for secret in SECRETS if secret in everything_told(source_answer)]


def test_a_credential_shows_none_of_its_secrets() -> None:
    shown = repr(OciCredential(origin=ORIGIN, username="auditor", password=PASSWORD, access_token="t0ken"))
    assert ORIGIN in shown
    assert not [secret for secret in ("auditor", PASSWORD, "t0ken") if secret in shown]


def test_a_signed_url_is_told_without_its_query(asking: Asking) -> None:
    made = shelf()
    digest = digest_of(next(iter(made.blobs.values())))
    scripted = Scripted({NAME: made})
    for name in (digest, *made.blobs):
        scripted.special[f"/v2/{NAME}/blobs/{name}"] = redirect(f"https://{ELSEWHERE}/signed?X-Signature=s3cret-p")
    scripted.special["/signed"] = Response.of_status(403)
    asking.server.serve(scripted.respond)
    source_answer = asking.ask()
    assert "answered 403" in " ".join(problem.message for problem in source_answer.problems)
    assert "s3cret-p" not in everything_told(source_answer)


def test_a_lookup_that_fails_ends_what_was_asked(asking: Asking) -> None:
    class Failing:
        def lookup(self, domain: str, repository: str) -> OciCredential | None:
            raise NoAnswerError("the credential helper hangs", stage=Stage.VERSIONS, code=ProblemCode.HELPER_FAILED)

    asking.server.serve(asks_for_password(Scripted({NAME: shelf()}).respond))
    source_answer = asking.ask(credentials=Failing())  # type: ignore[arg-type]
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in source_answer.problems] == ["helper-failed"]


def test_a_lookup_that_blocks_does_not_stop_others(asking: Asking) -> None:
    """It runs in a thread: while it waits, the loop goes on."""
    began, go_on = threading.Event(), threading.Event()

    class Slow:
        def lookup(self, domain: str, repository: str) -> OciCredential | None:
            began.set()
            assert go_on.wait(30)
            return None

    asking.server.serve(asks_for_password(Scripted({NAME: shelf()}).respond))

    async def work(registries: Registries) -> bool:
        access = registries.pulling(OciRepository.parse(f"{HOST}/{NAME}"))
        task = asyncio.create_task(list_tags(registries, access))
        await asyncio.to_thread(began.wait, 30)
        still_running = not task.done()
        go_on.set()
        await asyncio.wait([task])
        assert task.exception() is not None
        return still_running

    assert asking.run(work, credentials=Slow())  # type: ignore[arg-type]
