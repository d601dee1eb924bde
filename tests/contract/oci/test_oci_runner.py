"""The runner of audits: one way in for all audits of a run, with the credentials that its place knows."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import getproxies

import pytest
from builders.mirrors import LINUX, PLAIN, VERSION, h1, zh
from contract.oci.asking import HOST, ORIGIN, Asking, Known, known
from contract.oci.kinds import Shelf
from servers.oci_registry import PASSWORD, Registry, TokenGate, basic

from lockwarden.core.engine.audit import PlatformChoice, ReleasePlan
from lockwarden.core.engine.audit_runner import audit_runner
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import parse_source_spec
from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.values.clients import ClientSettings

REPOSITORY = "runner/example.test/acme/plain"
TEMPLATE = "runner/{hostname}/{namespace}/{type}"
ONLY_LINUX = PlatformChoice(wanted=frozenset({LINUX}))


@pytest.fixture
def pushed(password_registry: Registry) -> Registry:
    shelf = Shelf()
    shelf.provider()
    shelf.push(password_registry, REPOSITORY)
    return password_registry


def audits(
    host: str, credentials: Known | None, folder: Path, *, insecure: Sequence[str] = (), times: int = 1
) -> list[Audit]:
    spec = parse_source_spec(f"oci://{host}/{TEMPLATE}", directory=folder)
    options = AuditOptions(sources=(spec,), platforms=ONLY_LINUX, keep_cache=False, insecure_hosts=frozenset(insecure))
    runtime = Runtime(
        environ=dict(os.environ),
        cache_folder=folder,
        oci_credentials=credentials,
        proxies=getproxies,
        now=lambda: datetime.now(UTC),
    )
    release = ReleasePlan(address=PLAIN, version=VERSION, locked=frozenset())

    async def run() -> list[Audit]:
        async with audit_runner(options, runtime, ignore) as runner:
            found: list[Audit] = []
            for _ in range(times):
                found += await runner.audit([release], specs=[spec], platforms=ONLY_LINUX, settings=ClientSettings())
            return found

    return asyncio.run(run())


@pytest.mark.parametrize("port", [True, False], ids=["host and port", "host alone"])
def test_a_password_reaches_a_registry_on_this_machine_that_is_named(
    pushed: Registry, tmp_path: Path, port: bool
) -> None:
    named = pushed.address if port else pushed.address.partition(":")[0]
    (audit,) = audits(pushed.address, known(pushed.address), tmp_path, insecure=[named])
    (answer,) = audit.source_answers
    package = answer.package(LINUX)
    assert package is not None
    assert package.hashes == {zh(LINUX), h1(LINUX)}
    assert {chain.credentials for chain in answer.chains} == {ORIGIN}
    assert PASSWORD not in repr(audit)


def test_without_credentials_the_registry_is_asked_anonymously(pushed: Registry, tmp_path: Path) -> None:
    (audit,) = audits(pushed.address, None, tmp_path, insecure=[pushed.address])
    (answer,) = audit.source_answers
    assert answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in answer.problems] == ["credentials-required"]


def test_one_token_serves_all_audits_of_a_run(
    asking: Asking, registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf()
    shelf.provider()
    shelf.push(registry, REPOSITORY)
    guarded = TokenGate(behind=registry.respond, realm=f"https://{HOST}/token")
    asking.server.serve(guarded.respond)
    monkeypatch.setenv("SSL_CERT_FILE", asking.ca_file)
    credentials = known()
    for audit in audits(HOST, credentials, tmp_path, times=2):
        assert audit.source_answers[0].outcome is Outcome.ANSWERED
    assert len(guarded.given) == 1
    assert credentials.asked == [(HOST, REPOSITORY)]
    assert asking.secrets_at() == {HOST: {basic(), "Bearer token-0"}}
