"""Settings of one file and of all files together: values, the lines they are from, and which of several wins."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from builders.tables import table

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.file_settings import read_settings
from lockwarden.core.cli_config.reading import parse
from lockwarden.core.cli_config.settings import CliConfig
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import CliConfigError
from lockwarden.core.values.severity import Severity

ReadConfig = Callable[..., CliConfig]
HOST = Hostname.parse("a.test")


def tokens(config: CliConfig) -> dict[str, str | None]:
    return {block.label: block.token and block.token.expose() for block in config.credentials}


def complaints(config: CliConfig) -> list[tuple[str, str]]:
    return [(str(each.origin), each.message) for each in config.diagnostics]


def ignored(config: CliConfig) -> list[str]:
    return [f"{each.name} {each.origin.line}" for each in config.ignored]


def test_every_setting_knows_its_file_and_line(read_config: ReadConfig) -> None:
    config = read_config(
        'plugin_cache_dir = "/cache"\n'
        "plugin_cache_may_break_dependency_lock_file = true\n"
        'host "a.test" {\n  services = { "providers.v1" = "https://b.test/", "modules.v1" = false }\n}\n'
        'credentials "a.test" {\n  token = "t"\n}\n'
        'credentials_helper "h" {\n  args = ["x", 1]\n}\n'
        'registry_protocols {\n  retry_count = 3\n\n  request_timeout_seconds = "0x10"\n}\n'
        "provider_installation {\n}\n"
        "oci_default_credentials {}\n"
    )
    assert config.files == ("/home/.tofurc",)
    assert (config.plugin_cache_dir, config.plugin_cache_may_break_dependency_lock_file) != (None, None)
    origins = [
        config.plugin_cache_dir and config.plugin_cache_dir.origin,
        config.plugin_cache_may_break_dependency_lock_file
        and config.plugin_cache_may_break_dependency_lock_file.origin,
        config.hosts[0].origin,
        config.credentials[0].origin,
        config.credentials_helper and config.credentials_helper.origin,
        config.registry_protocols.retry_count and config.registry_protocols.retry_count.origin,
        config.registry_protocols.request_timeout_seconds and config.registry_protocols.request_timeout_seconds.origin,
        config.provider_installation and config.provider_installation.origin,
        config.oci_defaults and config.oci_defaults.origin,
    ]
    assert [str(each) for each in origins] == [f"/home/.tofurc:{line}" for line in (1, 2, 3, 6, 9, 13, 15, 17, 19)]
    assert config.plugin_cache_dir is not None
    assert config.plugin_cache_dir.value == "/cache"
    assert dict(config.hosts[0].services) == {"providers.v1": "https://b.test/", "modules.v1": None}
    assert tokens(config) == {"a.test": "t"}
    assert config.credentials_helper is not None
    assert [each.expose() for each in config.credentials_helper.arguments] == ["x", "1"]
    assert config.registry_protocols.request_timeout_seconds is not None
    assert config.registry_protocols.request_timeout_seconds.value == 16
    assert (config.diagnostics, config.ignored) == ((), ())
    assert config.checked() is config


def test_nothing_at_all_is_a_configuration_too(read_config: ReadConfig) -> None:
    config = read_config(None)
    assert (config.files, config.provider_installation, config.credentials, config.diagnostics) == ((), None, (), ())


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ('credentials "a.test" {}', None),
        ('credentials "a.test" { token = 1 }', None),
        ('credentials "a.test" { token = ["x"] }', None),
        ('credentials "a.test" { token "x" {} }', None),
        ('credentials "a.test" { token = "" }', ""),
        ('credentials { "a.test" { token = "t" } }', "t"),
        ('credentials = { "a.test" = { token = "t" } }', "t"),
        ('credentials "a.test" { token = "s" }\ncredentials "a.test" { token = "t" }', "t"),
        ('credentials "a.test" { token = "t" }\ncredentials "a.test" { colour = "red" }', "t"),
        ('Credentials "a.test" { token = "t" }', "t"),
        ('{"credentials": {"a.test": {"token": "t"}}}', "t"),
        ('{"credentials": {"a.test": {"token": null}}}', ""),
        ('credentials "a.test" "b" { token = "t" }', None),
    ],
)
def test_a_credentials_block_is_read_as_liberally_as_by_the_clients(
    read_config: ReadConfig, text: str, token: str | None
) -> None:
    assert tokens(read_config(text)) == {"a.test": token}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('credentials {\n  token = "hidden"\n}', 2, "needs a block, not a text"),
        ('credentials = "hidden"', 1, "“credentials” needs a block with a label, not a text"),
        ("plugin_cache_dir = true", 1, "“plugin_cache_dir” needs a text, not a true or false"),
        ("plugin_cache_dir {\n}", 1, "“plugin_cache_dir” needs a text, not a block"),
        ('plugin_cache_dir "x" {\n}', 1, "“plugin_cache_dir” is an argument and takes no labels"),
        (
            'plugin_cache_may_break_dependency_lock_file = "true"',
            1,
            "“plugin_cache_may_break_dependency_lock_file” needs true or false without quotation marks, not a text",
        ),
        ('host "a.test" {\n  services = "x"\n}', 2, "“services” needs names and URLs in braces"),
        ('credentials_helper "h" {\n  args = "x"\n}', 2, "“args” needs a list of texts in brackets, not a text"),
        ('credentials_helper "h" {\n  args = [1.5]\n}', 2, "“args” needs a text, not a number"),
        ('credentials_helper "h" {\n  args = [["x"]]\n}', 2, "“args” needs a text, not a list"),
    ],
)
def test_a_wrong_type_in_an_older_setting_makes_the_file_useless(
    read_config: ReadConfig, text: str, line: int, message: str
) -> None:
    config = read_config(text + "\nprovider_installation {}\n")
    assert config.provider_installation is None
    with pytest.raises(CliConfigError) as caught:
        config.checked()
    assert caught.value.message.startswith(f"/home/.tofurc:{line}: ")
    assert message in caught.value.message
    assert "hidden" not in caught.value.message
    assert caught.value.diagnostics == config.diagnostics


def test_several_useless_files_are_counted(read_config: ReadConfig) -> None:
    config = read_config("plugin_cache_dir = {}", "plugin_cache_dir = []", "plugin_cache_dir = 1.5")
    with pytest.raises(CliConfigError, match=r"and 2 more files\)$"):
        config.checked()


def test_settings_without_effect_are_listed_with_the_blocks_around_them(read_config: ReadConfig) -> None:
    config = read_config(
        'colour = 1\nOCI_credentials "a.test" {}\ndefault_oci_credentials {}\nhost "a.test" {\n  name = "x"\n}\n'
        'credentials "a.test" {\n  tokn = "hidden"\n}\ncredentials_helper "h" {\n  arguments = []\n}\n'
        "registry_protocols {\n  retries = 1\n}\noci_default_credentials {\n  helper = 1\n}\n"
        'oci_credentials "r.test" {\n  username = "u"\n  password = "p"\n  token = "hidden"\n}\n'
        "provider_installation {\n  direct {\n    url = 1\n  }\n}\n"
    )
    assert sorted(ignored(config)) == [
        "OCI_credentials.a.test 2",
        "colour 1",
        "credentials.tokn 8",
        "credentials_helper.arguments 11",
        "default_oci_credentials 3",
        "host.name 5",
        "oci_credentials.token 22",
        "oci_default_credentials.helper 17",
        "provider_installation.direct.url 26",
        "registry_protocols.retries 14",
    ]
    assert "hidden" not in str(config)


@pytest.mark.parametrize(
    ("environ", "main", "folder", "expected"),
    [
        ({}, 'plugin_cache_dir = "/m"', 'plugin_cache_dir = "/a"', "/m"),
        ({}, "", 'plugin_cache_dir = "/a"', "/a"),
        ({"TF_PLUGIN_CACHE_DIR": "$X"}, 'plugin_cache_dir = "/m"', "", "$X"),
        ({"TF_PLUGIN_CACHE_DIR": ""}, 'plugin_cache_dir = "/m"', "", "/m"),
        ({"X": "/x"}, 'plugin_cache_dir = "$X/${X}/$Y${}z$/~"', "", "/x//x/z$/~"),
        ({}, 'plugin_cache_dir = "$X"', "", None),
        ({}, "", "", None),
    ],
)
def test_the_cache_is_the_variables_then_the_main_files_then_the_first_in_the_folder(
    read_config: ReadConfig, environ: dict[str, str], main: str, folder: str, expected: str | None
) -> None:
    found = read_config(main, folder, 'plugin_cache_dir = "/b"' if folder else "", environ=environ).plugin_cache_dir
    assert (found and found.value) == expected


@pytest.mark.parametrize(
    ("environ", "texts", "expected"),
    [
        ({}, ("", ""), None),
        ({}, ("false", ""), "False /home/.tofurc:1"),
        ({}, ("false", "true"), "True /home/.terraform.d/a.tfrc:1"),
        ({"TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE": "0"}, ("", ""), None),
        (
            {"TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE": "false"},
            ("", ""),
            "True the environment variable TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE",
        ),
    ],
)
def test_breaking_the_lock_file_is_allowed_when_anything_allows_it(
    read_config: ReadConfig, environ: dict[str, str], texts: tuple[str, str], expected: str | None
) -> None:
    lines = [f"plugin_cache_may_break_dependency_lock_file = {each}" if each else "" for each in texts]
    found = read_config(*lines, environ=environ).plugin_cache_may_break_dependency_lock_file
    assert (found and f"{found.value} {found.origin}") == expected


def test_later_files_replace_whole_blocks_of_the_same_label(read_config: ReadConfig) -> None:
    config = read_config(
        'credentials "a.test" { token = "m" }\nhost "a.test" { services = { "x" = "m" } }\ncredentials_helper "h" {}',
        'credentials "a.test" { token = "a" }\ncredentials_helper "h" { args = ["a"] }',
        'credentials "a.test" {}\nhost "a.test" {}',
    )
    assert tokens(config) == {"a.test": None}
    assert [dict(each.services) for each in config.hosts] == [{}]
    assert config.credentials_helper is not None
    assert [each.expose() for each in config.credentials_helper.arguments] == ["a"]
    assert [(each.hostname, str(each.origin)) for each in config.hosts] == [(HOST, "/home/.terraform.d/b.tfrc:2")]


def test_registry_protocols_count_in_the_main_file_and_variables_win(read_config: ReadConfig) -> None:
    main = "registry_protocols {\n  retry_count = 0\n}\n"
    folder = "registry_protocols {\n  retry_count = 5\n  request_timeout_seconds = 5\n}\n"
    config = read_config(main, folder, environ={"TF_REGISTRY_CLIENT_TIMEOUT": "7", "TF_REGISTRY_DISCOVERY_RETRY": "0"})
    retries, seconds = config.registry_protocols.retry_count, config.registry_protocols.request_timeout_seconds
    assert (retries and retries.value, retries and str(retries.origin)) == (0, "/home/.tofurc:2")
    assert (seconds and str(seconds.origin)) == "the environment variable TF_REGISTRY_CLIENT_TIMEOUT"
    assert [(each.name, each.reason) for each in config.ignored] == [
        ("registry_protocols.retry_count", "it has an effect in the main file only"),
        ("registry_protocols.request_timeout_seconds", "it has an effect in the main file only"),
    ]
    assert read_config(None, folder).registry_protocols.retry_count is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("registry_protocols {}\nregistry_protocols {}", "there is a registry_protocols block on line 1 already"),
        ("\nregistry_protocols = 1", "“registry_protocols” is a block with braces"),
        (
            "registry_protocols {\n retry_count = 1.5\n}",
            "“retry_count” needs a whole number of at most 64 bits, not a number",
        ),
        (
            'registry_protocols {\n retry_count = "08"\n}',
            "“retry_count” needs a whole number of at most 64 bits, not a text",
        ),
        (
            f"registry_protocols {{\n retry_count = {2**63}\n}}",
            "“retry_count” needs a whole number of at most 64 bits, not a whole number",
        ),
    ],
)
def test_registry_protocols_that_cannot_be_used_are_complained_about(
    read_config: ReadConfig, text: str, message: str
) -> None:
    config = read_config(text)
    assert complaints(config) == [("/home/.tofurc:2", message)]
    assert config.registry_protocols.retry_count is None


def test_a_block_that_may_exist_once_names_both_places_and_the_first_is_used(read_config: ReadConfig) -> None:
    once = "provider_installation {}\noci_default_credentials {}\n"
    config = read_config(once + 'credentials_helper "g" {}', once + 'credentials_helper "h" {}')
    assert complaints(config) == [
        (
            "/home/.terraform.d/a.tfrc:3",
            "/home/.tofurc:3 has a block of this kind already; the clients use any of them",
        ),
        ("/home/.terraform.d/a.tfrc:1", "/home/.tofurc:1 has a block of this kind already; the first one is used"),
        ("/home/.terraform.d/a.tfrc:2", "/home/.tofurc:2 has a block of this kind already; the first one is used"),
    ]
    assert config.provider_installation is not None
    assert str(config.provider_installation.origin) == "/home/.tofurc:1"
    assert config.credentials_helper is not None
    assert config.credentials_helper.name == "g"


def test_labels_that_are_no_hostname_and_two_spellings_of_one_are_named(read_config: ReadConfig) -> None:
    config = read_config(
        'host "u:hidden@a.test" {}\ncredentials "a..test" {}\n'
        'credentials "a.test" { token = "1" }\ncredentials "A.test" { token = "2" }'
    )
    assert [(each.severity, each.origin.line) for each in config.diagnostics] == [
        (Severity.ERROR, 1),
        (Severity.ERROR, 2),
        (Severity.WARNING, 4),
    ]
    assert "hidden" not in str(config.diagnostics)
    assert config.diagnostics[2].message == (
        "“A.test” is the host of “a.test” at /home/.tofurc:3, and the clients use any"
    )


def test_services_in_a_block_of_their_own_with_a_label_name_no_url(read_config: ReadConfig) -> None:
    config = read_config('host "a.test" {\n  services "x" {}\n  services { "y" = "https://y.test/" }\n}')
    assert [dict(each.services) for each in config.hosts] == [{"x": None, "y": "https://y.test/"}]


def test_empty_braces_are_an_empty_list(read_config: ReadConfig) -> None:
    helper = read_config('credentials_helper "h" {\n  args {}\n}').credentials_helper
    assert helper is not None
    assert helper.arguments == ()


P = {"services": {"providers.v1": "https://p.test/"}}
M = {"services": {"modules.v1": "https://m.test/"}}
BOTH = {**P["services"], **M["services"]}
Q = {"providers.v1": "https://q.test/"}
LABELS = 'host "a.test" "services" {\n  "%s" = "%s"\n}\n'
PLAIN = 'host "a.test" {\n  services = {\n    "%s" = "%s"\n  }\n}\n'
PROVIDERS, MODULES = ("providers.v1", "https://p.test/"), ("modules.v1", "https://m.test/")


JSON_PLACE, HCL_PLACE = "/home/.terraform.d/a.tfrc.json", "/home/.tofurc"


@table(
    ("text", "to_opentofu", "to_terraform"),
    [
        (json.dumps({"host": [{"a.test": P}, {"a.test": M}]}), BOTH, BOTH),
        (f'{{"host": {json.dumps({"a.test": P})}, "host": {json.dumps({"a.test": M})}}}', BOTH, BOTH),
        (json.dumps({"host": {"a.test": [P, M]}}), BOTH, BOTH),
        (f'{{"host": {json.dumps({"a.test": [P]})}, "host": {json.dumps({"a.test": [M]})}}}', BOTH, M["services"]),
        (json.dumps({"host": [{"a.test": [M]}, {"a.test": P}]}), BOTH, M["services"]),
        (LABELS % PROVIDERS + LABELS % MODULES, BOTH, BOTH),
        (LABELS % PROVIDERS + PLAIN % MODULES, P["services"], P["services"]),
        (PLAIN % MODULES + LABELS % PROVIDERS, BOTH, P["services"]),
        (PLAIN % PROVIDERS + PLAIN % MODULES, BOTH, M["services"]),
        (PLAIN % PROVIDERS + 'host "a.test" {}', P["services"], {}),
        (PLAIN % PROVIDERS + PLAIN % ("providers.v1", "https://q.test/"), Q, Q),
    ],
    ids=[
        "list",
        "name twice",
        "list below",
        "name twice, lists below",
        "list below one of them",
        "labels",
        "labels first",
        "labels last",
        "plain blocks",
        "empty block",
        "one service twice",
    ],
)
def test_several_blocks_for_one_host_in_a_file_are_read_as_each_client_reads_them(
    text: str, to_opentofu: dict[str, str], to_terraform: dict[str, str]
) -> None:
    """As tofu 1.12.6 and terraform 1.11.4 were seen to: the one reads over what it has, the other in its place."""
    path = JSON_PLACE if text.startswith("{") else HCL_PLACE
    told = ConfigurationDiagnostics(path, tuple(Client))
    (block,) = read_settings(parse(text.encode(), path=path), told, environ={}).hosts
    assert dict(block.services_to(Client.OPENTOFU)) == to_opentofu
    assert dict(block.services_to(Client.TERRAFORM)) == to_terraform
    notes = [(each.severity, "Terraform takes the last one alone" in each.message) for each in told.diagnostics]
    assert notes == ([] if to_opentofu == to_terraform else [(Severity.NOTE, True)])


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://127.0.0.1:8080/v1/providers", "https://127.0.0.1:8080/v1/"),
        ("/v1/providers", "/v1/"),
        ("https://u:hidden@b.test/v1/x?key=hidden", "https://b.test/v1/"),
        *(
            (url, None)
            for url in ("https://b.test/v1/", "https://b.test", "https://b.test/v1/ ", "/v1/?x=/y", "", "v1")
        ),
    ],
)
def test_that_a_registrys_url_in_a_host_block_needs_a_slash_is_told(
    read_config: ReadConfig, url: str, base: str | None
) -> None:
    """Both clients ask below the last slash, as at a mirror; nothing that they say then names the block."""
    config = read_config(f'host "a.test" {{\n  services = {{ "providers.v1" = "{url}", "modules.v1" = "/m" }}\n}}\n')
    told = [(each.origin.line, each.message) for each in config.diagnostics]
    assert [line for line, _ in told] == ([] if base is None else [1])
    assert all(text.endswith(f"and ask below {base}") and "hidden" not in text for _, text in told)
