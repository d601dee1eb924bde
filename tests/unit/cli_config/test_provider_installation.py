"""`provider_installation` blocks: methods in their order, patterns, overrides, and what cannot be used."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lockwarden.core.cli_config.settings import (
    CliConfig,
    Direct,
    FilesystemMirror,
    Method,
    NetworkMirror,
    OciMirror,
    ProviderInstallation,
)
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.severity import Severity

ReadConfig = Callable[..., CliConfig]
PLAIN = ProviderAddress.parse("example.test/acme/plain")


def installation(config: CliConfig) -> ProviderInstallation:
    assert config.provider_installation is not None
    return config.provider_installation


def inside(*lines: str) -> str:
    return "\n".join(["provider_installation {", *lines, "}", ""])


def methods(config: CliConfig) -> tuple[Method, ...]:
    return installation(config).methods


def complaints(config: CliConfig) -> list[tuple[int, str]]:
    return [(each.origin.line, each.message) for each in config.diagnostics]


def test_methods_keep_their_order_their_values_and_their_lines(read_config: ReadConfig) -> None:
    config = read_config(
        inside(
            "  dev_overrides {",
            '    "acme/plain" = "/builds"',
            "  }",
            "  filesystem_mirror {",
            '    path = "mirror/folder"',
            '    include = ["example.test/*/*"]',
            "  }",
            '  network_mirror { url = "https://m.test/p/" trust_all_hashes = true download_retry_count = 4 }',
            '  oci_mirror { repository_template = "r.test/${namespace}/${type}" include = ["h.test/*/*"] }',
            "  direct {",
            '    exclude = ["example.test/*/*", "acme/plain"]',
            "    download_retry_count = 0",
            "  }",
        )
    )
    folder, network, oci, direct = methods(config)
    assert isinstance(folder, FilesystemMirror)
    assert isinstance(network, NetworkMirror)
    assert isinstance(oci, OciMirror)
    assert isinstance(direct, Direct)
    assert [each.origin.line for each in methods(config)] == [5, 9, 10, 11]
    assert folder.path == "mirror/folder"
    assert (network.url, network.trust_all_hashes, network.download_retry_count) == ("https://m.test/p/", True, 4)
    assert oci.template.text == "r.test/${namespace}/${type}"
    assert direct.download_retry_count == 0
    assert [str(each) for each in direct.exclude] == ["example.test/*/*", "acme/plain"]
    assert [each.selects(PLAIN) for each in methods(config)] == [True, True, False, False]
    ((address, override),) = installation(config).dev_overrides.items()
    assert (str(address), override.value, override.origin.line) == (
        "registry.opentofu.org/acme/plain",
        "/builds",
        3,
    )
    assert (config.diagnostics, config.ignored, installation(config).implied) == ((), (), False)


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["  torrent {}"], 2, "there is no provider installation method “torrent”"),
        (["  direct = {}"], 2, "“direct” must be a block without an equals sign"),
        (["  filesystem_mirror {}"], 2, "the argument “path” is required"),
        (["  network_mirror {", '    url = ""', "  }"], 2, "the argument “url” is required"),
        (["  oci_mirror {}"], 2, "the argument “repository_template” is required"),
        (["  direct {", '    include = "a/b"', "  }"], 3, "in this direct block, “include” needs a list of texts in"),
        (["  direct {", "    download_retry_count = true", "  }"], 3, "“download_retry_count” needs a whole number"),
        (["  direct {", '    exclude = ["a"]', "  }"], 3, "“a” is not a pattern: it needs two or three parts"),
        (
            ["  network_mirror {", '    url = "https://m.test/"', "    trust_all_hashes = 1", "  }"],
            4,
            "“trust_all_hashes” needs true or false without quotation marks, not a whole number",
        ),
        (
            ["  oci_mirror {", '    repository_template = "r.test/x"', "  }"],
            3,
            "the repository template cannot be used: it must refer to ${hostname}",
        ),
        (
            ["  oci_mirror {", '    repository_template = "r.test/x"', '    include = ["a"]', "  }"],
            4,
            "“a” is not a pattern",
        ),
        (["  direct {}", "  dev_overrides {}"], 3, "dev_overrides must come before all other methods"),
        (["  dev_overrides {", '    "a/b" = true', "  }"], 3, "“a/b” needs a text, not a true or false"),
        (["  dev_overrides {", '    "a/b/c/d" = "/x"', "  }"], 3, "“a/b/c/d” is not a provider address"),
    ],
)
def test_a_method_that_cannot_be_used_is_dropped_and_the_others_stay(
    read_config: ReadConfig, lines: list[str], line: int, message: str
) -> None:
    config = read_config(inside(*lines, '  filesystem_mirror { path = "/x" }'))
    assert [(found, message in text) for found, text in complaints(config)] == [(line, True)]
    assert [type(each) for each in methods(config)][-1] is FilesystemMirror
    assert installation(config).dev_overrides == {}


@pytest.mark.parametrize(
    "url",
    [
        "http://m.test/",
        "https:///x",
        "m.test/x",
        "https://m.test:x/",
        "https://[::1/",
        "https://u:hidden@/",
        "https://m.test x/",
    ],
)
def test_a_network_mirror_needs_https_and_a_host_and_the_url_is_not_repeated(read_config: ReadConfig, url: str) -> None:
    config = read_config(inside(f'  network_mirror {{ url = "{url}" }}'))
    assert complaints(config) == [(2, "a network mirror must be at an https:// URL with a host name")]
    assert methods(config) == ()


def test_a_method_with_a_wrong_url_or_pattern_still_stands_before_overrides(read_config: ReadConfig) -> None:
    config = read_config(inside('  direct { include = ["x"] }', "  dev_overrides {}"))
    assert [line for line, _ in complaints(config)] == [2, 3]
    config = read_config(inside("  torrent {}", '  dev_overrides { "a/b" = "/x" }'))
    assert [line for line, _ in complaints(config)] == [2]
    assert len(installation(config).dev_overrides) == 1


@pytest.mark.parametrize(
    ("url", "shown", "base"),
    [
        ("https://m.test/p/", "https://m.test/p/", "https://m.test/p/"),
        ("https://m.test", "https://m.test", "https://m.test/"),
        ("https://u:hidden@m.test:8443/a/?q=hidden#f", "https://m.test:8443/a/", "https://u:hidden@m.test:8443/a/"),
    ],
)
def test_the_base_of_a_mirror_is_what_the_clients_ask_and_what_is_shown_has_no_secret(
    read_config: ReadConfig, url: str, shown: str, base: str
) -> None:
    (mirror,) = methods(read_config(inside(f'  network_mirror {{ url = "{url}" }}')))
    assert isinstance(mirror, NetworkMirror)
    assert (mirror.shown, mirror.base_url) == (shown, base)
    assert "hidden" not in repr(mirror)


def test_a_url_without_a_slash_at_its_end_is_warned_of(read_config: ReadConfig) -> None:
    config = read_config(inside('  network_mirror { url = "https://m.test/a/b" }'))
    (warning,) = config.diagnostics
    assert warning.severity is Severity.WARNING
    assert warning.message == "the clients drop the last part of https://m.test/a/b and ask below https://m.test/a/"


def test_labels_are_an_error_and_the_block_is_used(read_config: ReadConfig) -> None:
    config = read_config('provider_installation "x" {\n  direct "y" {}\n}\n')
    assert complaints(config) == [
        (1, "a provider_installation block has no labels"),
        (2, "a direct block has no labels"),
    ]
    assert [type(each) for each in methods(config)] == [Direct]


def test_an_equals_sign_makes_the_block_useless(read_config: ReadConfig) -> None:
    config = read_config("provider_installation = {\n  direct {}\n}\n")
    assert complaints(config) == [(1, "“provider_installation” is a block and takes no equals sign")]
    assert config.provider_installation is None


def test_a_template_that_lockwarden_does_not_expand_is_kept_with_a_warning(read_config: ReadConfig) -> None:
    template = "r.test/%{ if true }${hostname}%{ endif }/${namespace}/${type}"
    config = read_config(inside(f'  oci_mirror {{ repository_template = "{template}" }}'))
    (mirror,) = methods(config)
    assert isinstance(mirror, OciMirror)
    assert mirror.template.unsupported
    assert [each.severity for each in config.diagnostics] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("text", "severities", "found"),
    [
        ('{"provider_installation": [{"direct": [{"exclude": ["a/b"]}]}]}', [], [Direct]),
        ('{"provider_installation": {"direct": {"exclude": ["a/b"]}, "x": 1}}', ["error"], [Direct]),
        ('{"provider_installation": {"direct": {}}}', ["warning"], []),
        ('{"provider_installation": {"direct": {"exclude": ["a/b"]}}}', ["warning", "error"], []),
        ('{"provider_installation": 1}', ["error"], None),
    ],
)
def test_json_is_understood_only_in_the_forms_that_the_clients_understand(
    read_config: ReadConfig, text: str, severities: list[str], found: list[type] | None
) -> None:
    config = read_config(text)
    assert [each.severity.value for each in config.diagnostics] == severities
    block = config.provider_installation
    assert (block and [type(each) for each in block.methods]) == found


def network(url: str) -> str:
    return f'provider_installation {{\n  network_mirror {{\n    url = "{url}"\n  }}\n}}\n'


@pytest.mark.parametrize(
    ("url", "base", "hint"),
    [
        ("https://a.test/x/ ", "https://a.test/x/", "write https://a.test/x/"),
        ("https://a.test/x ", "https://a.test/", "write https://a.test/x/"),
        ("https://a.test/a b/", "https://a.test/a b/", ""),
        ("https://a.test//x//", "https://a.test//x//", ""),
    ],
)
def test_a_mirror_is_asked_where_the_clients_ask(read_config: ReadConfig, url: str, base: str, hint: str) -> None:
    config = read_config(network(url))
    assert config.provider_installation is not None
    (method,) = config.provider_installation.methods
    assert isinstance(method, NetworkMirror)
    assert method.base_url == base
    assert [each.hint for each in config.diagnostics] == ([hint] if hint else [])
    assert not any(each.severity is Severity.ERROR for each in config.diagnostics)


@pytest.mark.parametrize("url", ["https://a.test ", " https://a.test/", "https://a.test/\\t"])
def test_a_space_or_a_control_character_elsewhere_makes_it_no_url(read_config: ReadConfig, url: str) -> None:
    config = read_config(network(url))
    assert config.provider_installation is not None
    assert config.provider_installation.methods == ()


def test_a_password_in_a_mirrors_url_is_warned_of_and_never_shown(read_config: ReadConfig) -> None:
    config = read_config(network("https://user:geheim@a.test/x/"))
    (told,) = config.diagnostics
    assert told.severity is Severity.WARNING
    assert "a credentials block for a.test" in told.hint
    assert "geheim" not in f"{config.diagnostics} {config.provider_installation}"
    assert "user" not in f"{told.message} {told.hint}".replace("user name", "")
