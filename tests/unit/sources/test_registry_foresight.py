"""What a registry's client foresees of the requests to a host."""

from __future__ import annotations

import asyncio

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.registry.client import RegistryClient
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.demo.responses import Response
from lockwarden.demo.transport import WorldTransport
from lockwarden.demo.world import World

HOST, CONFIGURED = "registry.example.test", "configured.example.test"
VERSIONS = "/v1/acme/widget/versions"


class Foreseeing(HttpClient):
    """Notes what it is told of."""

    foreseen: tuple[tuple[str, int], ...] = ()

    def foresee(self, url: str, requests: int) -> None:
        self.foreseen += ((url, requests),)


def test_only_a_host_that_still_has_to_say_where_its_registry_is_gets_connections_early() -> None:
    answers = {
        "/.well-known/terraform.json": Response.of_json({"providers.v1": "/v1/"}),
        VERSIONS: Response.of_json({"versions": []}),
    }
    widget, other = (ProviderAddress.parse(f"{host}/acme/widget") for host in (HOST, CONFIGURED))

    async def scenario() -> None:
        transport = WorldTransport(World.of([(HOST, answers)]))
        async with Foreseeing(HttpSettings(), transport=transport) as http, PackageStore(None) as store:
            services = {CONFIGURED: {"providers.v1": "https://elsewhere.example.test/v1/"}}
            client = RegistryClient(http, store, client=Client.OPENTOFU, services=services)
            client.foresee(other, 3)
            client.foresee(widget, 3)
            await client.versions(widget)
            client.foresee(widget, 3)
            assert http.foreseen == ((f"https://{HOST}/.well-known/terraform.json", 3),)

    asyncio.run(scenario())
