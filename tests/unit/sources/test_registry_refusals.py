"""What a registry that refuses is told as, and what would help: a table of hosts, statuses and words."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from builders.tables import table

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.registry.client import RegistryClient
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version
from lockwarden.demo.transport import WorldTransport
from lockwarden.demo.world import Response, World

PUBLIC, PRIVATE = "registry.opentofu.org", "registry.example.test"
DISCOVERY = {"/.well-known/terraform.json": Response.of_json({"providers.v1": "/v1/"})}
TOKEN = "sesame-8f2e61"
NO_CREDENTIALS = "this registry needs no credentials"
GIVE = "add a credentials block for registry.example.test"


def answer(status: int, *errors: str) -> Response:
    body = json.dumps({"errors": errors}).encode()
    return Response(status=status, headers=(("Content-Type", "application/json"),), body=body)


def refusal(
    host: str, given: Response, *, token: str | None = None, package: bool = False, world: World | None = None
) -> SourceError:
    """How the list of versions, or the metadata of a package, fails that is answered so."""
    path = "/v1/acme/widget/1.2.3/download/linux/amd64" if package else "/v1/acme/widget/versions"
    transport = WorldTransport(world or World.of([(host, {**DISCOVERY, path: given})]))

    async def ask() -> None:
        async with (
            HttpClient(
                HttpSettings(metadata_retries=0), transport=transport, credentials=lambda _: token, now=time.time
            ) as http,
            PackageStore(None, now=time.time) as store,
        ):
            client = RegistryClient(http, store, client=Client.OPENTOFU, services={})
            address = ProviderAddress.parse(f"{host}/acme/widget")
            if package:
                await client.metadata(address, Version(1, 2, 3), Platform("linux", "amd64"))
            else:
                await client.versions(address)

    with pytest.raises(SourceError) as caught:
        asyncio.run(ask())
    assert TOKEN not in f"{caught.value.message}{caught.value.hint}"
    return caught.value


@table(
    ("host", "given", "token", "told", "hint"),
    [
        (
            PUBLIC,
            answer(403, "rate limited"),
            None,
            "refused the request (403 Forbidden; the server says “rate limited”)",
            NO_CREDENTIALS,
        ),
        (PUBLIC, answer(401), None, "refused the request (401 Unauthorized)", NO_CREDENTIALS),
        (
            PUBLIC,
            answer(401, "no"),
            TOKEN,
            "rejected the given credentials (401 Unauthorized; the server says “no”)",
            "renew the token",
        ),
        (
            PRIVATE,
            answer(401, "log in"),
            None,
            "requires authentication credentials (401 Unauthorized; the server says",
            GIVE,
        ),
        (
            PRIVATE,
            answer(403, f"{TOKEN} is unknown"),
            TOKEN,
            "the server says “(words that held the credentials",
            "what it may read",
        ),
        (
            PRIVATE,
            answer(400, "bad name"),
            None,
            "answered 400 Bad Request; the server says “bad name”",
            "a filter on the way",
        ),
        (PRIVATE, answer(501), None, "answered 501 Not Implemented", "ask who runs the registry"),
        (
            PUBLIC,
            answer(404, "Not Found"),
            None,
            "does not have a provider named registry.opentofu.org/acme/widget",
            "letter by letter",
        ),
        (
            PRIVATE,
            answer(404, "it was renamed"),
            None,
            "named registry.example.test/acme/widget; the server says “it was renamed”",
            GIVE,
        ),
    ],
)
def test_a_refusal_is_told_with_the_servers_words_and_what_helps(
    host: str, given: Response, token: str | None, told: str, hint: str
) -> None:
    error = refusal(host, given, token=token)
    assert told in error.message
    assert hint in error.hint
    assert "Not Found”" not in error.message


def test_of_a_single_package_the_address_is_known_to_be_right() -> None:
    error = refusal(PUBLIC, answer(404, "Not Found"), package=True)
    assert error.message == "registry.opentofu.org/acme/widget 1.2.3 is not available for linux_amd64"
    assert error.hint == "ask who runs the registry, or the provider's author"


def test_a_public_registry_is_never_said_to_want_credentials() -> None:
    world = World.of([(PUBLIC, {})])
    ours = refusal(PUBLIC, Response(), world=world)
    assert ours.message == "registry.opentofu.org does not offer a provider registry"
    assert "may answer in its place" in ours.hint
    assert "credentials" not in ours.hint
    assert "whether it wants credentials" in refusal(PRIVATE, Response(), world=World.of([(PRIVATE, {})])).hint
