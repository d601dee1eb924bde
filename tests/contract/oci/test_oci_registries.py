"""Audits through a real registry, anonymously, with a password and with tokens, and the same through a folder."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from builders.folders import ask as ask_folder
from builders.mirrors import DARWIN, FACTS, LINUX, PLAIN, WINDOWS, h1, zh
from contract.oci.asking import ELSEWHERE, HOST, ORIGIN, Asking, known, password
from contract.oci.kinds import ZIPS, Shelf
from servers.golden import WORLD
from servers.https import Respond
from servers.oci_registry import Registry, TokenGate, basic, scope_of

from lockwarden.core.evidence.events import AuditEvent, PackageChecked, PackageProgress
from lockwarden.core.evidence.observations import Basis, ComputedLocally, ListedByMirror
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.blobs import Blobs
from lockwarden.core.oci.catalog import fitting_repositories, list_repositories
from lockwarden.core.oci.credentials import OciCredential
from lockwarden.core.oci.documents import Descriptor
from lockwarden.core.oci.registry import Registries, RegistryRules
from lockwarden.core.oci.tags import list_tags
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_templates import UriTemplate
from lockwarden.core.values.versions import Version

EVERY = (LINUX, DARWIN, WINDOWS)
TEMPLATE = f"{HOST}/mirror/{{hostname}}/{{namespace}}/{{type}}"
REPOSITORY = "mirror/example.test/acme/plain"


@pytest.fixture
def pushed(registry: Registry) -> Registry:
    shelf = Shelf()
    shelf.provider()
    shelf.push(registry, REPOSITORY)
    return registry


@pytest.fixture
def pushed_with_password(password_registry: Registry) -> Registry:
    shelf = Shelf()
    shelf.provider()
    shelf.push(password_registry, REPOSITORY)
    return password_registry


def gate(behind: Respond, **more: object) -> TokenGate:
    return TokenGate(behind=behind, realm=f"https://{HOST}/token", **more)  # type: ignore[arg-type]


def assert_right(answer: SourceAnswer, credentials: str) -> None:
    assert (answer.outcome, answer.problems) == (Outcome.ANSWERED, ())
    assert answer.platforms == frozenset(EVERY)
    for platform in EVERY:
        package = answer.package(platform)
        assert package is not None
        assert (package.zh, package.h1_archive, package.h1_directory) == (zh(platform), h1(platform), h1(platform))
        assert package.promised == frozenset({zh(platform)})
        assert package.size == FACTS[str(platform)]["size"]
        assert package.client_refusal == ""
    assert {chain.credentials for chain in answer.chains} == {credentials}


def test_an_open_registry_is_audited_without_credentials(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    credentials = known()
    assert_right(asking.ask(TEMPLATE, platforms=EVERY, credentials=credentials), "anonymous")
    assert credentials.asked == []
    assert asking.secrets_at() == {HOST: set()}


def test_a_registry_that_wants_a_password_gets_it(asking: Asking, pushed_with_password: Registry) -> None:
    asking.server.serve(pushed_with_password.respond)
    credentials = known()
    assert_right(asking.ask(TEMPLATE, platforms=EVERY, credentials=credentials), ORIGIN)
    assert credentials.asked == [(HOST, REPOSITORY)]
    assert asking.secrets_at() == {HOST: {basic()}}


def test_a_registry_that_wants_a_token_gets_one_for_the_password(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond)
    asking.server.serve(guarded.respond)
    assert_right(asking.ask(TEMPLATE, platforms=EVERY, credentials=known()), ORIGIN)
    assert guarded.given == [("token-0", f"repository:{REPOSITORY}:pull")]
    assert asking.secrets_at() == {HOST: {basic(), "Bearer token-0"}}
    token_requests = [request for request in asking.server.journal.requests if request.path.startswith("/token")]
    assert [request.authorization for request in token_requests] == [basic()]


def test_a_public_registry_gives_anyone_a_token(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond, anonymous=True)
    asking.server.serve(guarded.respond)
    assert_right(asking.ask(TEMPLATE, platforms=EVERY), "anonymous")
    assert asking.secrets_at() == {HOST: {"Bearer token-0"}}


def test_an_access_token_is_sent_as_it_is(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond)
    guarded.given.append(("my-own-token", f"repository:{REPOSITORY}:pull"))
    asking.server.serve(guarded.respond)
    credential = OciCredential(origin=ORIGIN, access_token="my-own-token")
    assert_right(asking.ask(TEMPLATE, platforms=EVERY, credentials=known(HOST, credential)), ORIGIN)
    assert asking.secrets_at() == {HOST: {"Bearer my-own-token"}}
    assert asking.asked("/token") == []


def test_a_registry_on_this_machine_is_spoken_to_without_tls_where_the_operator_says_so(
    asking: Asking, pushed_with_password: Registry
) -> None:
    address = pushed_with_password.address
    answer = asking.ask(
        f"{address}/{REPOSITORY}",
        platforms=EVERY,
        credentials=known(address),
        rules=RegistryRules(plain_http_hosts=frozenset({address})),
    )
    assert_right(answer, ORIGIN)


def test_no_registry_is_spoken_to_without_tls_otherwise(asking: Asking, pushed: Registry) -> None:
    answer = asking.ask(f"{pushed.address}/{REPOSITORY}")
    assert answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in answer.problems] == ["tls-failure"]
    other = RegistryRules(plain_http_hosts=frozenset({f"{HOST}:80", HOST}))
    assert asking.ask(f"{HOST}:80/{REPOSITORY}", rules=other).outcome is Outcome.NO_ANSWER


def test_the_mirror_and_a_folder_of_the_same_packages_give_the_same_hashes(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    through_registry = asking.ask(TEMPLATE, platforms=EVERY)
    through_folder = ask_folder(WORLD / "fs-packed", PLAIN, platforms=EVERY)
    for platform in EVERY:
        one, other = through_registry.package(platform), through_folder.package(platform)
        assert one is not None
        assert other is not None
        assert (one.zh, one.h1_archive, one.h1_directory, one.size) == (
            other.zh,
            other.h1_archive,
            other.h1_directory,
            other.size,
        )
    computed = [
        {(hash_, seen.platform) for hash_, seen in answer.observations if isinstance(seen, ComputedLocally)}
        for answer in (through_registry, through_folder)
    ]
    assert computed[0] == computed[1]


def test_the_digest_is_a_claim_of_the_mirror_before_anything_is_downloaded(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    answer = asking.ask(TEMPLATE, platforms=(LINUX,), check=False)
    assert asking.asked("/blobs/") == []
    assert [(hash_, type(seen), seen.platform) for hash_, seen in answer.observations] == [
        (zh(platform), ListedByMirror, platform) for platform in sorted(EVERY)
    ]
    assert not any(seen.vouches for _, seen in answer.observations)
    assert [chain.platform for chain in answer.chains] == sorted(EVERY)
    manifests = [seen.document for _, seen in answer.observations if isinstance(seen, ListedByMirror)]
    assert [document.url.rpartition("/")[2] for document in manifests] == [
        f"sha256:{document.sha256}" for document in manifests
    ]


def test_the_digest_is_verified_once_the_blob_was_hashed_here(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    answer = asking.ask(TEMPLATE, platforms=(LINUX,))
    computed = [(hash_, seen) for hash_, seen in answer.observations if isinstance(seen, ComputedLocally)]
    assert [(hash_, seen.basis) for hash_, seen in computed] == [(zh(LINUX), Basis.BLOB), (h1(LINUX), Basis.ARCHIVE)]
    digest = zh(LINUX).text.replace("zh:", "sha256:")
    assert {seen.location for _, seen in computed} == {f"https://{HOST}/v2/{REPOSITORY}/blobs/{digest}"}
    assert all(seen.vouches and seen.package_zh == zh(LINUX) for _, seen in computed)


def test_for_terraform_the_source_does_not_exist(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    settings = ClientSettings(client=Client.TERRAFORM)
    answer = asking.ask(TEMPLATE, settings=settings)
    package = answer.package(LINUX)
    assert package is not None
    assert (package.zh, package.client_refusal) == (
        zh(LINUX),
        "Terraform knows no OCI mirrors, so that this source does not exist for it",
    )
    audit = Audit(address=PLAIN, version=Version(1, 2, 3), source_answers=(answer,))
    assert recorded(audit, settings=settings, platforms=frozenset({LINUX})) == {}


def test_what_happens_is_told_while_it_happens(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    events: list[AuditEvent] = []
    asking.ask(TEMPLATE, platforms=(LINUX,), report=events.append)
    progress = [event for event in events if isinstance(event, PackageProgress)]
    assert (progress[-1].received, progress[-1].total) == (FACTS["linux_amd64"]["size"],) * 2
    assert [event.outcome for event in events if isinstance(event, PackageChecked)] == ["hashed"]


def test_a_provider_or_a_version_that_is_not_there_is_an_answer(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)
    other = asking.ask(TEMPLATE, address=ProviderAddress.parse("example.test/acme/other"))
    assert (other.outcome, other.problems) == (Outcome.NOT_THERE, ())
    version = asking.ask(TEMPLATE, version=Version(9, 9, 9))
    assert (version.outcome, version.detail) == (
        Outcome.NOT_THERE,
        f"{HOST}/{REPOSITORY} has no tag for version 9.9.9",
    )


def test_a_provider_whose_name_cannot_be_mapped_could_not_be_asked(asking: Asking) -> None:
    answer = asking.ask(TEMPLATE, address=ProviderAddress.parse("example.test/grün/plain"))
    assert answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in answer.problems] == ["oci-repository-address"]
    assert asking.asked() == []


def test_a_registry_names_its_repositories_where_it_offers_that(asking: Asking, pushed: Registry) -> None:
    asking.server.serve(pushed.respond)

    async def work(registries: Registries) -> tuple[tuple[str, ...], list[str]]:
        listed = await list_repositories(registries, HOST)
        return listed, [str(each) for each in await fitting_repositories(registries, UriTemplate.parse(TEMPLATE))]

    listed, fits = asking.run(work)
    assert REPOSITORY in listed
    assert f"{HOST}/{REPOSITORY}" in fits
    assert all(each.startswith(f"{HOST}/mirror/") for each in fits)


def test_many_who_ask_at_once_share_one_token(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond)
    asking.server.serve(guarded.respond)

    async def work(registries: Registries) -> None:
        access = access_to(registries)
        await asyncio.gather(*(list_tags(registries, access) for _ in range(8)))

    asking.run(work, credentials=known())
    assert len(guarded.given) == 1


def access_to(registries: Registries, name: str = f"{HOST}/{REPOSITORY}") -> Access:
    return registries.pulling(UriTemplate.parse(name).expand(PLAIN))


def test_a_token_is_used_until_it_expires(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond, more={"expires_in": 300})
    asking.server.serve(guarded.respond)

    async def work(registries: Registries) -> None:
        access = access_to(registries)
        for moment in (0.0, 200.0, 269.0, 271.0):
            asking.clock[0] = moment
            await list_tags(registries, access)

    asking.run(work, credentials=known())
    used = [request.authorization for request in asking.server.journal.requests if "tags/list" in request.path]
    assert used == [None, "Bearer token-0", "Bearer token-0", "Bearer token-0", None, "Bearer token-1"]


def test_a_token_of_one_repository_is_not_used_for_another(asking: Asking, pushed: Registry) -> None:
    shelf = Shelf()
    shelf.provider()
    shelf.push(pushed, "mirror/example.test/acme/other")
    guarded = gate(pushed.respond)
    asking.server.serve(guarded.respond)

    async def work(registries: Registries) -> None:
        for name in ("plain", "other", "plain"):
            await list_tags(registries, access_to(registries, f"{HOST}/mirror/example.test/acme/{name}"))

    asking.run(work, credentials=known())
    assert [scope for _, scope in guarded.given] == [
        "repository:mirror/example.test/acme/plain:pull",
        "repository:mirror/example.test/acme/other:pull",
    ]
    for request in asking.server.journal.requests:
        if request.path.startswith("/v2/") and request.authorization is not None:
            assert (request.authorization.removeprefix("Bearer "), scope_of(request.path)) in guarded.given


def test_a_token_that_is_taken_back_is_asked_for_anew_once(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond)
    asking.server.serve(guarded.respond)

    async def work(registries: Registries) -> None:
        access = access_to(registries)
        await list_tags(registries, access)
        guarded.given[:] = [("gone", "")]
        await list_tags(registries, access)

    asking.run(work, credentials=known())
    used = [request.authorization for request in asking.server.journal.requests if "tags/list" in request.path]
    assert used == [None, "Bearer token-0", "Bearer token-0", "Bearer token-1"]


def test_a_blob_is_asked_for_with_a_token_too(asking: Asking, pushed: Registry, tmp_path: Path) -> None:
    guarded = gate(pushed.respond)
    asking.server.serve(guarded.respond)
    content = ZIPS["linux_amd64"]
    digest = zh(LINUX).text.replace("zh:", "sha256:")
    layer = Descriptor(media_type="archive/zip", digest=digest, size=len(content))

    async def work(registries: Registries) -> Hash:
        async with PackageStore(tmp_path, now=time.time) as store:
            return (await Blobs(registries, access_to(registries), store).fetch(layer)).stored.zh

    assert asking.run(work, credentials=known()) == zh(LINUX)
    used = [request.authorization for request in asking.server.journal.requests if "/blobs/" in request.path]
    assert used == [None, "Bearer token-0"]


def test_a_token_server_elsewhere_gets_the_password_only_where_the_operator_allows_it(
    asking: Asking, pushed: Registry
) -> None:
    guarded = TokenGate(behind=pushed.respond, realm=f"https://{ELSEWHERE}/token")
    asking.server.serve(guarded.respond)
    answer = asking.ask(TEMPLATE, credentials=known())
    assert answer.outcome is Outcome.NO_ANSWER
    (problem,) = answer.problems
    assert problem.code == "credentials-withheld"
    assert ELSEWHERE in problem.message
    assert ORIGIN in problem.message
    assert asking.secrets_at() == {HOST: set(), ELSEWHERE: set()}
    asking.server.journal.clear()
    allowed = RegistryRules(token_hosts=frozenset({ELSEWHERE}))
    assert_right(asking.ask(TEMPLATE, platforms=EVERY, credentials=known(), rules=allowed), ORIGIN)
    assert asking.secrets_at() == {HOST: {"Bearer token-0"}, ELSEWHERE: {basic()}}


def test_the_password_is_not_looked_up_twice(asking: Asking, pushed: Registry) -> None:
    guarded = gate(pushed.respond, more={"expires_in": 1})
    asking.server.serve(guarded.respond)
    credentials = known(HOST, password())

    async def work(registries: Registries) -> None:
        access = access_to(registries)
        for moment in (0.0, 100.0, 200.0):
            asking.clock[0] = moment
            await list_tags(registries, access)

    asking.run(work, credentials=credentials)
    assert len(guarded.given) == 3
    assert credentials.asked == [(HOST, REPOSITORY)]
