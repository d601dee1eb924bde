"""What the installed command makes of a CLI configuration: which source is asked, and who sees a secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from builders.three_providers import HOST, MIRROR, ThreeProviders
from end_to_end.configuring import MIRROR_HOST, OCI_CREDENTIALS, OCI_HOST, SECRET, THREE_WAYS, run
from end_to_end.oci_mirrors import ON_LINUX
from servers.https import HttpsServer
from servers.installed import Ended, Lockwarden
from servers.journal import Request

from lockwarden.demo.world import Response


def asked(done: Ended) -> dict[str, list[str]]:
    """Provider → the ids of its findings' sources."""
    return {
        provider["address"].rpartition("/")[2]: [finding["source"] for finding in provider["findings"]]
        for lock_file in done.report["lock_files"]
        for provider in lock_file["providers"]
    }


def hosts_asked_about(server: HttpsServer, name: str) -> set[str]:
    return {request.host for request in server.journal.requests if f"/acme/{name}/" in request.path}


class TestSources:
    def test_each_provider_is_asked_for_where_the_configuration_says(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text(THREE_WAYS + OCI_CREDENTIALS)
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert asked(done) == {"one": [OCI_HOST], "two": [MIRROR_HOST], "three": ["direct"]}
        assert {finding["outcome"] for name in asked(done) for finding in done.provider(name)["findings"]} == {
            "answered"
        }
        assert hosts_asked_about(everything, "one") == {OCI_HOST}
        assert hosts_asked_about(everything, "two") == {MIRROR_HOST}
        assert MIRROR_HOST not in hosts_asked_about(everything, "three")
        assert [source["id"] for source in done.report["sources"]] == [OCI_HOST, MIRROR_HOST, "direct"]
        with_secret = [request for request in everything.journal.requests if request.authorization]
        assert {request.host for request in with_secret} == {OCI_HOST}
        chains = done.provider("one")["findings"][0]["chains"]
        assert {chain["credentials"] for chain in chains} == {f"oci_credentials block ({home / '.tofurc'}:14)"}

    def test_a_source_that_is_named_overrides_all_of_it(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text(THREE_WAYS)
        done = run(lockwarden, "check", "--source", "direct", *ON_LINUX, folder=folder)
        assert done.code == 0
        assert asked(done) == {"one": ["direct"], "two": ["direct"], "three": ["direct"]}
        assert {request.host for request in everything.journal.requests} == {HOST}

    def test_a_provider_that_nothing_serves_is_a_problem_and_asks_nobody(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text(
            f'provider_installation {{\n  direct {{\n    exclude = ["{HOST}/acme/one"]\n  }}\n}}\n'
        )
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code == 3
        assert asked(done) == {"one": [], "two": ["direct"], "three": ["direct"]}
        assert [problem["code"] for problem in done.provider("one")["problems"]] == ["no-source"]
        assert set(done.verdicts("one").values()) == {"unchecked"}
        assert set(done.verdicts("two").values()) == {"confirmed"}
        assert hosts_asked_about(everything, "one") == set()
        text = run(lockwarden, "keys", folder=folder)
        assert text.code == 3
        assert f"No key for {HOST}/acme/one 1.4.0: the configured sources for it have none" in text.out

    def test_a_folder_that_the_clients_know_by_themselves_comes_before_the_origin(
        self, lockwarden: Lockwarden, everything: HttpsServer, three_providers: ThreeProviders, folder: Path, home: Path
    ) -> None:
        three_providers.write_folder(home / ".terraform.d" / "plugins")
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert asked(done) == {"one": ["plugins"], "two": ["plugins"], "three": ["plugins"]}
        assert everything.journal.requests == ()

    def test_an_overridden_provider_is_told_of(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text(
            "provider_installation {\n"
            f'  dev_overrides {{\n    "{HOST}/acme/one" = "/dev/one"\n  }}\n'
            "  direct {}\n"
            "}\n"
        )
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code == 0
        assert [problem["code"] for problem in done.provider("one")["problems"]] == ["dev-override"]
        assert "/dev/one" in done.provider("one")["problems"][0]["message"]
        assert done.provider("two")["problems"] == []

    def test_a_host_block_replaces_discovery(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        run(lockwarden, "check", *ON_LINUX, folder=folder)
        (discovery,) = everything.journal.to(HOST, "/.well-known/")
        (versions, *_) = everything.journal.to(HOST, "/v1/")
        base = versions.path.partition("acme/")[0]
        everything.journal.clear()
        (home / ".tofurc").write_text(
            f'host "{HOST}" {{\n  services = {{ "providers.v1" = "https://{HOST}{base}" }}\n}}\n'
        )
        assert run(lockwarden, "check", *ON_LINUX, folder=folder).code == 0
        assert everything.journal.to(HOST, "/.well-known/") == ()
        assert discovery.path not in {request.path for request in everything.journal.requests}

    def test_a_host_block_may_lead_to_this_machine_where_a_server_may_not(
        self, lockwarden: Lockwarden, everything: HttpsServer, three_providers: ThreeProviders, folder: Path, home: Path
    ) -> None:
        """A build cache or a registry's proxy on this machine writes such a block, and both clients install."""
        run(lockwarden, "check", *ON_LINUX, folder=folder)
        (versions, *_) = everything.journal.to(HOST, "/v1/")
        base = f"{everything.url.rstrip('/')}{versions.path.partition('acme/')[0]}"
        everything.journal.clear()
        world = three_providers.world()
        everything.serve(lambda host, path, headers: world.respond(HOST if host == "localhost" else host, path))
        (home / ".tofurc").write_text(f'host "{HOST}" {{\n  services = {{ "providers.v1" = "{base}" }}\n}}\n')
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code == 0
        assert set(done.verdicts("one").values()) == {"confirmed"}
        assert "localhost" in {request.host for request in everything.journal.requests}
        (home / ".tofurc").unlink()
        leading = json.dumps({"providers.v1": base}).encode()
        everything.serve(
            lambda host, path, headers: Response(headers=(("Content-Type", "application/json"),), body=leading)
        )
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code == 3
        assert "inside this machine" in done.provider("one")["findings"][0]["detail"]
        assert "name the address yourself, in a host block" in done.provider("one")["problems"][0]["hint"]
        assert {request.path for request in everything.journal.requests} == {"/.well-known/terraform.json"}

    def test_a_mirror_that_lacks_the_locked_version_breaks_init_though_the_origin_behind_it_has_it(
        self, lockwarden: Lockwarden, everything: HttpsServer, three_providers: ThreeProviders, folder: Path, home: Path
    ) -> None:
        world = three_providers.world()
        missing = f"/providers/{HOST}/acme/one/1.4.0.json"
        index = Response.of_json({"versions": {"1.3.0": {}}})

        def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if host == MIRROR_HOST and "/acme/one/" in path:
                return index if path.endswith("index.json") else Response.of_status(404)
            return world.respond(host, path)

        everything.serve(respond)
        (home / ".tofurc").write_text(
            f'provider_installation {{\n  network_mirror {{\n    url = "{MIRROR}"\n  }}\n  direct {{}}\n}}\n'
        )
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        (one,) = done.provider("one")["chain"]
        assert (one["source"], one["standing"], one["outcome"]) == (MIRROR_HOST, "fails", "init ends")
        assert [request.path for request in everything.journal.to(MIRROR_HOST, missing)] == [missing]
        (two,) = done.provider("two")["chain"]
        assert (two["source"], two["standing"]) == (MIRROR_HOST, "works")
        text = run(lockwarden, "check", "--platform", "linux_amd64", folder=folder).out
        assert "✗ linux_amd64 by the configured methods: init ends: mirror.example.test does not list 1.4.0" in text

    def test_what_the_clients_pass_over_ends_no_chain(
        self, lockwarden: Lockwarden, everything: HttpsServer, three_providers: ThreeProviders, folder: Path, home: Path
    ) -> None:
        """A registry without the package of this platform, whose list of checksums fails; a file for a folder."""
        world, one = three_providers.world(), three_providers.releases[0]
        answers = {
            one.metadata_path("linux_amd64"): Response.of_status(404),
            one.signature_path: Response.of_status(403),
        }
        everything.serve(lambda host, path, headers: answers.get(path) or world.respond(host, path))
        (home / "file").touch()
        (home / "link").symlink_to("nowhere")
        methods = [f'filesystem_mirror {{\n    path = "{home / name}"\n  }}' for name in ("file", "link")]
        methods += ["direct {}", f'network_mirror {{\n    url = "{MIRROR}"\n  }}']
        (home / ".tofurc").write_text("provider_installation {\n  " + "\n  ".join(methods) + "\n}\n")
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        (verdict,) = done.provider("one")["chain"]
        assert (verdict["source"], verdict["standing"]) == (MIRROR_HOST, "works")
        (verdict,) = done.provider("two")["chain"]
        assert (verdict["source"], verdict["standing"]) == ("direct", "works")
        told = [each["message"] for each in done.provider("two")["problems"]]
        assert [text for text in told if "the clients find nothing in it" in text] == told
        assert len(told) == 2

    def test_an_oci_mirror_without_the_tag_breaks_init_and_a_named_source_is_no_chain(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        template = f'repository_template = "{OCI_HOST}/elsewhere/${{namespace}}/${{type}}"'
        include = f'include = ["{HOST}/*/*"]'
        (home / ".tofurc").write_text(
            f"provider_installation {{\n  oci_mirror {{\n    {template}\n    {include}\n  }}\n  direct {{}}\n}}\n"
            + OCI_CREDENTIALS
        )
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        (one,) = done.provider("one")["chain"]
        assert (one["source"], one["standing"]) == (OCI_HOST, "fails")
        assert "has no tag for 1.4.0, and a client" in one["reason"]
        assert set(done.verdicts("one").values()) == {"confirmed"}
        done = run(lockwarden, "check", "--source", "direct", "--source", MIRROR, *ON_LINUX, folder=folder)
        assert done.provider("one")["chain"] == []

    def test_two_slashes_in_a_mirrors_url_stay_so_that_what_is_not_there_is_not_confirmed(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        doubled = f"{MIRROR}/"
        (home / ".tofurc").write_text(
            f'provider_installation {{\n  network_mirror {{\n    url = "{doubled}"\n  }}\n}}\n'
        )
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code != 0
        assert "confirmed" not in done.verdicts("one").values()
        asked_for = {request.path for request in everything.journal.to(MIRROR_HOST) if "/acme/" in request.path}
        assert asked_for
        assert all(path.startswith("/providers//") for path in asked_for)

    def test_two_blocks_for_one_host_in_a_file_of_json_are_read_as_one(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        run(lockwarden, "check", *ON_LINUX, folder=folder)
        (versions, *_) = everything.journal.to(HOST, "/v1/")
        base = versions.path.partition("acme/")[0]
        everything.journal.clear()
        services: tuple[dict[str, str], ...] = (
            {"providers.v1": f"https://{HOST}{base}"},
            {"modules.v1": "https://m.test/"},
        )
        (home / ".terraform.d").mkdir()
        (home / ".terraform.d" / "hosts.tfrc.json").write_text(
            json.dumps({"host": [{HOST: {"services": each}} for each in services]})
        )
        assert run(lockwarden, "check", *ON_LINUX, folder=folder).code == 0
        assert everything.journal.to(HOST, "/.well-known/") == ()

    def test_of_two_host_blocks_in_a_file_opentofu_reads_both_and_terraform_the_last(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        run(lockwarden, "check", *ON_LINUX, folder=folder)
        (versions, *_) = everything.journal.to(HOST, "/v1/")
        base = versions.path.partition("acme/")[0]
        everything.journal.clear()
        blocks = [
            f'host "{HOST}" {{\n  services = {{ "{name}" = "{url}" }}\n}}\n'
            for name, url in (("providers.v1", f"https://{HOST}{base}"), ("modules.v1", "https://m.test/"))
        ]
        (home / ".terraformrc").write_text("".join(blocks))
        assert run(lockwarden, "check", *ON_LINUX, folder=folder).code == 0
        assert everything.journal.to(HOST, "/.well-known/") == ()
        by_terraform = run(lockwarden, "check", *ON_LINUX, "--client", "terraform", folder=folder)
        assert by_terraform.code == 3
        assert f"the host block for {HOST} in the CLI configuration has no URL for providers.v1" in by_terraform.out
        told = run(lockwarden, "config", folder=folder).out
        assert f"OpenTofu puts the host blocks for {HOST} in this file together, and Terraform" in told
        assert f"{HOST}: providers.v1 at https://{HOST}{base}, to OpenTofu" in told
        assert f"{HOST}: modules.v1 at https://m.test/, to Terraform" in told

    def test_a_host_block_without_a_registry_is_not_blamed_on_the_host(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text(f'host "{HOST}" {{\n  services = {{ "modules.v1" = "/m/" }}\n}}\n')
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code == 3
        (finding,) = done.provider("one")["findings"]
        assert finding["detail"].startswith(f"the host block for {HOST} in the CLI configuration")
        assert set(done.verdicts("one").values()) == {"unchecked"}
        assert everything.journal.requests == ()

    def test_packages_are_asked_for_as_often_as_the_method_says(
        self, lockwarden: Lockwarden, everything: HttpsServer, three_providers: ThreeProviders, folder: Path, home: Path
    ) -> None:
        world = three_providers.world()

        def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
            return Response.of_status(503, text="busy") if path.endswith(".zip") else world.respond(host, path)

        for count, requests in (("0", 1), ("1", 2)):
            everything.serve(respond)
            (home / ".tofurc").write_text(
                f"provider_installation {{\n  direct {{\n    download_retry_count = {count}\n  }}\n}}\n"
            )
            assert run(lockwarden, "check", *ON_LINUX, folder=folder).code == 3
            zips = [request.path for request in everything.journal.requests if request.path.endswith(".zip")]
            assert len(zips) == 3 * requests
            assert len(set(zips)) == 3

    def test_a_mirrors_list_counts_when_the_configuration_trusts_it(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        for trusted in (True, False):
            trust = f"trust_all_hashes = {str(trusted).lower()}"
            (home / ".tofurc").write_text(
                f'provider_installation {{\n  network_mirror {{\n    url = "{MIRROR}"\n    {trust}\n  }}\n}}\n'
            )
            done = run(lockwarden, "check", *ON_LINUX, folder=folder)
            assert any(row["reported_by_trusted_mirror"] for row in done.provider("one")["hashes"]) is trusted

    def test_a_method_that_cannot_be_asked_confirms_nothing(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        for method in CANNOT_BE_ASKED:
            (home / ".tofurc").write_text(f"provider_installation {{\n  {method}\n}}\n")
            done = run(lockwarden, "check", *ON_LINUX, folder=folder)
            assert done.code == 3, method
            assert set(done.verdicts("one").values()) == {"unchecked"}, method
            assert "user:pass" not in done.out + done.err, method
            assert everything.journal.requests == (), method


CANNOT_BE_ASKED = (
    'network_mirror {\n    url = "https://user:pass@mirror.example.test/providers/"\n  }',
    'oci_mirror {\n    repository_template = "user:pass@a.test/${hostname}/${namespace}/${type}"\n  }',
    'network_mirror {\n    url = "https://a..b.%zz/"\n  }',
    'filesystem_mirror {\n    path = "/nowhere\\u0000"\n  }',
    'oci_mirror {\n    repository_template = "oci.example.test/${hostname}/${namespace}/${lower(type)}"\n  }',
    'oci_mirror {\n    repository_template = "a.test/${hostname}/${namespace}/%{if true}${type}%{endif}"\n  }',
)
"""A password, one in a template, no host name, no path, a function, and a condition."""


TOKEN_PLACES = ("variable", "block", "credentials.tfrc.json", "helper")


def give_token(place: str, host: str, home: Path) -> dict[str, str]:
    """Make the token for `host` known in one way; the variables that this needs."""
    config = home / ".tofurc"
    folder = home / ".terraform.d"
    match place:
        case "variable":
            return {f"TF_TOKEN_{host.replace('.', '_')}": SECRET}
        case "block":
            config.write_text(config.read_text() + f'credentials "{host}" {{\n  token = "{SECRET}"\n}}\n')
        case "credentials.tfrc.json":
            folder.mkdir()
            (folder / place).write_text(json.dumps({"credentials": {host: {"token": SECRET}}}))
        case _:
            config.write_text(config.read_text() + 'credentials_helper "vault" {\n  args = ["--quiet"]\n}\n')
            program = folder / "plugins" / "terraform-credentials-vault"
            program.parent.mkdir(parents=True)
            program.write_text(
                f'#!/bin/sh\n[ "$*" = "--quiet get {host}" ] && echo \'{{"token": "{SECRET}"}}\' || echo "{{}}"\n'
            )
            program.chmod(0o755)
    return {}


def with_token(server: HttpsServer) -> list[Request]:
    found = [request for request in server.journal.requests if request.authorization is not None]
    assert {request.authorization for request in found} <= {f"Bearer {SECRET}"}
    return found


class TestTokens:
    @pytest.mark.parametrize("place", TOKEN_PLACES)
    def test_a_registrys_token_goes_with_its_metadata_and_with_nothing_else(
        self, place: str, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text("provider_installation {\n  direct {}\n}\n")
        more = give_token(place, HOST, home)
        done = run(lockwarden, "check", *ON_LINUX, "--source", "direct", "--source", MIRROR, folder=folder, **more)
        assert done.code == 0
        sent = with_token(everything)
        assert {request.host for request in sent} == {HOST}
        kinds = {"/.well-known/terraform.json", "versions", "linux/amd64", "amd64"}
        assert all(any(request.path.endswith(kind) for kind in kinds) for request in sent)
        bare = [request.path for request in everything.journal.to(HOST) if request.authorization is None]
        assert any(path.endswith(".zip") for path in bare)
        assert not any(path.endswith(("/versions", "/terraform.json", "/linux/amd64")) for path in bare)

    @pytest.mark.parametrize("place", TOKEN_PLACES)
    def test_a_mirrors_token_goes_with_its_documents_and_with_nothing_else(
        self, place: str, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text(
            f'provider_installation {{\n  network_mirror {{\n    url = "{MIRROR}"\n  }}\n  direct {{}}\n}}\n'
        )
        more = give_token(place, MIRROR_HOST, home)
        done = run(lockwarden, "check", *ON_LINUX, folder=folder, **more)
        assert done.code == 0
        sent = with_token(everything)
        assert {request.host for request in sent} == {MIRROR_HOST}
        assert {request.path.rpartition(".")[2] for request in sent} == {"json"}
        packages = [each for each in everything.journal.to(MIRROR_HOST) if each.path.endswith(".zip")]
        assert packages
        assert not any(request.authorization for request in packages)

    def test_a_helper_that_fails_leaves_the_source_unasked_and_is_named(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text('credentials_helper "vault" {\n  args = []\n}\n')
        program = home / ".terraform.d" / "plugins" / "terraform-credentials-vault"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\necho {SECRET} >&2\nexit 3\n")
        program.chmod(0o755)
        done = run(lockwarden, "check", *ON_LINUX, "--source", "direct", folder=folder)
        assert done.code == 3
        (finding,) = done.provider("one")["findings"]
        assert finding["outcome"] == "no answer"
        assert str(program) in finding["detail"]
        assert {request.path for request in everything.journal.requests} == {"/.well-known/terraform.json"}


class TestBadConfigurations:
    def test_a_file_that_does_not_parse_is_named_with_its_line(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text('plugin_cache_dir = "/tmp"\n\nprovider_installation {\n')
        for command in (("check",), ("lock",), ("keys",), (), ("check", "--source", "direct")):
            done = run(lockwarden, *command, folder=folder)
            assert done.code == 2, command
            assert done.err.startswith(f"{home / '.tofurc'}:3: error: "), command
            assert done.out == "", command
        assert everything.journal.requests == ()

    def test_a_file_that_is_named_and_missing_is_a_warning(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, tmp_path: Path
    ) -> None:
        missing = tmp_path / "none.tfrc"
        done = lockwarden.run("check", *ON_LINUX, folder=folder, expected=0, TF_CLI_CONFIG_FILE=str(missing))
        assert done.err.count(f"{missing}: warning: it does not exist") == 1

    def test_a_method_that_cannot_be_used_is_told_and_the_others_stay(
        self, lockwarden: Lockwarden, everything: HttpsServer, folder: Path, home: Path
    ) -> None:
        (home / ".tofurc").write_text("provider_installation {\n  carrier_pigeon {}\n  direct {}\n}\n")
        done = run(lockwarden, "check", *ON_LINUX, folder=folder)
        assert done.code == 0
        assert done.err.startswith(f"{home / '.tofurc'}:2: error: ")
        assert "carrier_pigeon" in done.err
