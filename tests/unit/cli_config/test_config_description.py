"""What a configuration looks like in words: every value with its place, and no secret anywhere."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

from lockwarden.core.cli_config.describe import ConfigFacts, DescribedLine, Section, describe
from lockwarden.core.cli_config.docker_files import parse_docker_file
from lockwarden.core.cli_config.oci_credentials import ContainerFiles
from lockwarden.core.cli_config.service_helpers import HelperProgram
from lockwarden.core.cli_config.serving import implied_installation
from lockwarden.core.cli_config.settings import CliConfig
from lockwarden.core.cli_config.tokens import TokenStore

ReadConfig = Callable[..., CliConfig]
SECRET = "hidden"
FULL = """
plugin_cache_dir = "/cache"
plugin_cache_may_break_dependency_lock_file = true
colour = 1
registry_protocols {
  retry_count = 3
}
host "a.test" {
  services = { "providers.v1" = "https://u:hidden@b.test/v1/?key=hidden", "modules.v1" = 1 }
}
host "b.test" {}
credentials "a.test" {
  token = "hidden"
}
credentials "b.test" {}
credentials "c.test" { token = "hidden" }
credentials_helper "h" { args = ["--secret", "hidden"] }
oci_credentials "r.test" {
  username = "me"
  password = "hidden"
}
oci_credentials "s.test" {
  access_token = "hidden"
  refresh_token = "hidden"
}
oci_credentials "t.test" { docker_credentials_helper = "t" }
oci_default_credentials { docker_credentials_helper = "d" }
provider_installation {
  dev_overrides {
    "acme/dev" = "/builds"
  }
  filesystem_mirror {
    path = "/m"
    include = ["acme/*"]
  }
  network_mirror {
    url = "https://u:hidden@m.test/p/?key=hidden"
    exclude = ["acme/*"]
    trust_all_hashes = true
  }
  oci_mirror { repository_template = "r.test/${hostname}/${namespace}/${type}" }
  torrent {}
}
"""
AUTH = base64.b64encode(b"me:hidden").decode()
USELESS = base64.b64encode(b"hidden").decode()


def facts(config: CliConfig, *, environ: dict[str, str] | None = None, **others: object) -> ConfigFacts:
    containers = others.get("containers", ContainerFiles())
    helper = others.get("helper")
    assert isinstance(containers, ContainerFiles)
    assert helper is None or isinstance(helper, HelperProgram)
    return ConfigFacts(
        config=config,
        installation=config.provider_installation or implied_installation([]),
        variables=TokenStore(config, environ or {}).variables,
        helper=helper,
        containers=containers,
    )


def shown(lines: tuple[DescribedLine, ...], section: Section) -> list[str]:
    found = [line for line in lines if line.section is section]
    return [f"{line.name}: {line.value}" + (f" [{line.origin.line}]" if line.origin else "") for line in found]


SENT = "sent to the host, and to where its service discovery leads and what it names"


def test_everything_is_shown_with_its_line_and_without_secrets(read_config: ReadConfig) -> None:
    config = read_config(FULL)
    assert config.credentials_helper is not None
    helper = HelperProgram(path=Path("/plugins/terraform-credentials-h"), arguments=config.credentials_helper.arguments)
    content = {
        "auths": {"r.test/x": {"auth": AUTH}, "u:hidden@z.test": {"auth": AUTH}, "y.test": {"auth": USELESS}},
        "credHelpers": {"s.test": "c"},
        "credsStore": "store",
    }
    file = parse_docker_file(json.dumps(content).encode(), path="/docker.json")
    lines = describe(
        facts(
            config,
            environ={"TF_TOKEN_c_test": "hidden", "TF_TOKEN_d_test": ""},
            helper=helper,
            containers=ContainerFiles(files=(file, parse_docker_file(b"{}", path="/empty.json"))),
        )
    )
    assert [line.section for line in lines] == sorted((line.section for line in lines), key=list(Section).index)
    assert shown(lines, Section.FILES) == ["read: /home/.tofurc"]
    assert shown(lines, Section.INSTALLATION) == [
        "dev_overrides: registry.opentofu.org/acme/dev from /builds, whatever the lock file says [30]",
        "1: filesystem mirror /m, for acme/* [32]",
        "2: network mirror https://m.test/p/, all of whose hashes are trusted, for all providers but not acme/* [36]",
        "3: OCI mirror r.test/${hostname}/${namespace}/${type}, for all providers [41]",
    ]
    assert shown(lines, Section.CACHE) == [
        "plugin_cache_dir: /cache [2]",
        "plugin_cache_may_break_dependency_lock_file: true [3]",
    ]
    assert shown(lines, Section.REGISTRIES) == ["retry_count: 3 [6]", "request_timeout_seconds: 10 [0]"]
    assert shown(lines, Section.HOSTS) == [
        "a.test: providers.v1 at https://b.test/v1/ [8]",
        "a.test: no modules.v1 [8]",
        "b.test: no services at all [11]",
    ]
    assert shown(lines, Section.TOKENS) == [
        f"c.test: token (secret), {SENT} [0]",
        f"d.test: an empty token, which is sent and helps nobody, {SENT} [0]",
        "a.test: token (secret), sent to the host and to b.test, as its host block says [12]",
        "b.test: no usable token, so that the host is asked without one [15]",
        "c.test: not used, because a variable has a token [16]",
        (
            "any other host: credentials helper “h”: the program /plugins/terraform-credentials-h with 2 arguments"
            f" (not shown), {SENT} [17]"
        ),
    ]
    assert shown(lines, Section.OCI) == [
        "r.test: user “me” with password (secret) [18]",
        "s.test: access token (secret) [22]",
        "t.test: Docker credential helper “t” [26]",
        "any registry: Docker credential helper “d” [27]",
        "r.test/x: user “me” with password (secret) [0]",
        "y.test: the entry “y.test” of /docker.json is no user name and password [0]",
        "s.test: Docker credential helper “c” [0]",
        "any registry: Docker credential helper “store” [0]",
    ]
    assert shown(lines, Section.IGNORED) == ["colour: no client knows it [4]"]
    assert shown(lines, Section.PROBLEMS) == [
        (
            "warning: User name or password in a URL: the URL of the network mirror at m.test holds a user name or a"
            " password, so that it is not asked here [37]"
        ),
        "error: Invalid provider_installation method block: there is no provider installation method “torrent” [42]",
    ]
    assert SECRET not in str(lines)
    assert SECRET not in repr(config)


def test_a_password_in_the_label_of_a_block_is_not_shown(read_config: ReadConfig) -> None:
    lines = describe(
        facts(
            read_config(
                'credentials "u:hidden@a.test" { token = "hidden" }\n'
                'host "u:hidden@b.test" {\n  services = { "modules.v1" = "/v1/?key=hidden" }\n}\n'
                'host "u:hidden@c.test" {}\n'
                'oci_credentials "u:hidden@d.test" {\n  username = "me"\n  password = "hidden"\n}\n'
            )
        )
    )
    assert [line.name for line in lines if line.section in {Section.HOSTS, Section.TOKENS}] == [
        "b.test",
        "c.test",
        "a.test",
    ]
    assert len(shown(lines, Section.PROBLEMS)) == 4
    assert SECRET not in str(lines)


def test_no_configuration_is_shown_as_the_clients_defaults(read_config: ReadConfig) -> None:
    lines = describe(facts(read_config(None)))
    assert [f"{line.section} {line.name}: {line.value} ({line.origin})" for line in lines] == [
        "files read: no configuration file (None)",
        "provider installation 1: origin registries (direct), for all providers (the default)",
        "registries retry_count: 1 (the default)",
        "registries request_timeout_seconds: 10 (the default)",
    ]


def test_implied_folders_keep_their_providers_from_the_registries(read_config: ReadConfig, tmp_path: Path) -> None:
    config = read_config(None)
    installation = implied_installation([tmp_path])
    lines = describe(
        ConfigFacts(config=config, installation=installation, variables={}, helper=None, containers=ContainerFiles())
    )
    assert shown(lines, Section.INSTALLATION)[-1] == (
        "2: origin registries (direct), for all providers that are in none of the folders above [0]"
    )


def test_what_leaves_a_user_without_anything_is_said(read_config: ReadConfig) -> None:
    config = read_config(
        "provider_installation {}\noci_default_credentials { discover_ambient_credentials = false }\n"
        'credentials_helper "h" {}\noci_credentials "r.test" {\n  username = ""\n  password = ""\n}\n'
    )
    lines = describe(facts(config))
    assert shown(lines, Section.INSTALLATION) == ["none: no method at all, so that no provider can be installed [1]"]
    assert shown(lines, Section.OCI) == [
        "r.test: the oci_credentials block has an empty username [4]",
        "container tools: not looked for [2]",
    ]
    assert shown(lines, Section.TOKENS) == [
        "any other host: credentials helper “h”: no such program, so it is passed over [3]"
    ]


def test_files_of_container_tools_that_cannot_be_used_are_named_with_the_consequence(read_config: ReadConfig) -> None:
    config = read_config("")
    warned = describe(facts(config, containers=ContainerFiles(warning="/a cannot be read")))
    failed = describe(facts(config, containers=ContainerFiles(error="/a cannot be read")))
    assert shown(warned, Section.OCI) == ["container tools: /a cannot be read, so that none of these files counts"]
    assert shown(failed, Section.OCI) == ["container tools: /a cannot be read, so that no registry is asked"]
