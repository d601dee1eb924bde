"""What a module requires, by the clients' rules."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.configuration.json_form import read_json
from lockwarden.core.configuration.native import read_native
from lockwarden.core.configuration.requirements import Module, Required, SourceFile, module_of
from lockwarden.core.configuration.syntax import UnreadableProblem
from lockwarden.core.values.addresses import ProviderAddress


def module(*texts: str, test: str = "", override: str = "") -> Module:
    files = [SourceFile(body=read_native(each)) for each in texts]
    files += [SourceFile(body=read_native(test), test=True)] if test else []
    files += [SourceFile(body=read_native(override), override=True)] if override else []
    return module_of(files)


def names(found: Module) -> set[str]:
    return {str(min(each.addresses, key=str)).removeprefix("registry.opentofu.org/") for each in found.requirements}


def required(entry: str) -> str:
    return f"terraform {{\n  required_providers {{\n    {entry}\n  }}\n}}\n"


@table(
    ("text", "expected"),
    [
        (required('a = { source = "acme/a", version = "1" }'), {"acme/a"}),
        (required('a = { source = "host.test/acme/a" }'), {"host.test/acme/a"}),
        (required('a = { "source" = "acme/a", configuration_aliases = [a.b] }'), {"acme/a"}),
        (required('a = "~> 1"'), {"hashicorp/a"}),
        (required("a = { version = \"1\" }"), {"hashicorp/a"}),
        (required('a = { source = "acme/a", source = "acme/b" }'), {"acme/a", "acme/b"}),
        (required('terraform = { source = "terraform.io/builtin/terraform" }'), set()),
        ('provider "aws" {}', {"hashicorp/aws"}),
        ('provider {}', set()),
        ('resource "aws_x" "y" {}\ndata "http" "y" {}', {"hashicorp/aws", "hashicorp/http"}),
        ('ephemeral "e_x" "y" {}\naction "f_x" "y" {}', {"hashicorp/e", "hashicorp/f"}),
        ('resource "google_x" "y" {\n  provider = google-beta.west\n}', {"hashicorp/google-beta"}),
        ('resource "google_x" "y" {\n  provider = "beta.west"\n}', {"hashicorp/beta"}),
        ('resource "google_x" "y" {\n  provider = f(x)\n}', {"hashicorp/google"}),
        ('resource "google_x" "y" {\n  provider = [x]\n}', {"hashicorp/google"}),
        ('resource "terraform_data" "y" {}', set()),
        (required('aws = { source = "acme/clouds" }') + 'resource "aws_x" "y" {}', {"acme/clouds"}),
        ('check "x" {\n  data "http" "y" {}\n}', {"hashicorp/http"}),
        ("import {\n  to = aws_x.y\n  id = 1\n}", {"hashicorp/aws"}),
        ("import {\n  to = module.x.aws_x.y\n  provider = beta.west\n}", {"hashicorp/beta"}),
        ("locals {}\nvariable \"x\" {}", set()),
    ],
)  # fmt: skip
def test_providers_are_declared_or_implied_by_what_uses_them(text: str, expected: set[str]) -> None:
    found = module(text)
    assert names(found) == expected
    assert (found.calls, found.open) == ((), ())


@table(
    ("entry", "why"),
    [
        ("a = local.x", "the source of the provider a is computed"),
        ('a = { source = "${x}" }', "the source of the provider a is computed"),
        ('a = { (x) = "acme/a" }', "the source of the provider a is computed"),
        ('a = { source = "a/b/c/d" }', "“a/b/c/d” is not the address of a provider"),
    ],
)
def test_what_cannot_be_read_leaves_it_open(entry: str, why: str) -> None:
    assert module(required(entry)).open == (why,)


def test_an_override_replaces_what_others_declare_of_a_name_and_files_add_up() -> None:
    one, two = required('a = { source = "acme/a" }'), required('b = { source = "acme/b" }')
    assert names(module(one, two)) == {"acme/a", "acme/b"}
    assert names(module(one, two, override=required('a = { source = "acme/c" }'))) == {"acme/c", "acme/b"}


def test_tests_require_what_they_configure_and_call() -> None:
    run = 'run "x" {\n  module {\n    source = "./t"\n  }\n}\n'
    text = f'mock_provider "aws" {{}}\n{run}module "y" {{\n  source = "./no"\n}}\n'
    found = module('module "y" {\n  source = "./yes"\n}\n', test=text)
    assert names(found) == {"hashicorp/aws"}
    assert found.calls == ("./yes", "./t")


def test_modules_are_local_or_leave_it_open() -> None:
    calls = ('"./a"', '"../b"', '".\\\\c"', '"acme/x/cloud"', '"git::https://host.test/x"', '"./${x}"')
    text = "".join(f'module "m{number}" {{\n  source = {each}\n}}\n' for number, each in enumerate(calls))
    found = module(text + 'module "none" {}\n')
    assert found.calls == ("./a", "../b", ".\\c")
    assert found.open == (
        "it calls a module whose source is computed or missing",
        "it calls the module acme/x/cloud and 1 more from elsewhere",
    )


def test_a_secret_in_the_source_of_a_module_is_not_told() -> None:
    found = module('module "m" {\n  source = "git::https://ada:s3cret@host.test/x?token=s3cret"\n}\n')
    assert found.open == ("it calls the module git::https://(secret)@host.test/x?token=(secret) from elsewhere",)


def test_a_host_that_is_left_out_is_that_of_either_client() -> None:
    both = Required(requirements=module(required('a = { source = "acme/a" }')).requirements)
    ours, theirs = (ProviderAddress.parse(f"registry.{each}/acme/a") for each in ("opentofu.org", "terraform.io"))
    assert both.requires(ours)
    assert both.requires(theirs)
    assert both.leaves_host_open(ours)
    one = Required(requirements=module(required('a = { source = "registry.terraform.io/acme/a" }')).requirements)
    assert not one.requires(ours)
    assert one.requires(theirs)
    assert not one.leaves_host_open(theirs)


def test_json_says_the_same_and_a_name_that_is_repeated_counts_each_time() -> None:
    text = """{
      "//": "a comment",
      "terraform": {"required_providers": {"a": {"source": "acme/a"}}, "required_providers": [{"b": "1.0"}]},
      "resource": [{"aws_x": {"y": {"provider": "beta.west", "//": "z"}, "//": null}}, {"c_x": {"y": [{}, {}]}}],
      "module": {"m": {"source": "./m"}, "n": {"source": "${path.module}/n"}},
      "check": {"x": {"data": {"d_x": {"y": {}}}}},
      "locals": {"x": [1, {"y": null}]},
      "provider": null,
      "import": null
    }"""
    found = module_of([SourceFile(body=read_json(text))])
    assert names(found) == {"acme/a", "hashicorp/b", "hashicorp/beta", "hashicorp/c", "hashicorp/d"}
    assert found.calls == ("./m",)
    assert found.open == ("it calls a module whose source is computed or missing",)


@table(
    ("text", "why"),
    [
        ("{", "line 1: it is not JSON"),
        ("[" * 200_000, "nested too deeply"),
        ("[1]", "something else where an object should be"),
        ('{"module": "x"}', "something else where an object should be"),
    ],
)
def test_what_is_no_configuration_in_json_is_an_error(text: str, why: str) -> None:
    with pytest.raises(UnreadableProblem, match=why):
        read_json(text)


AWS = ProviderAddress.parse("acme/aws")
ONE = 'a = { source = "acme/aws", version = "1.0" }'


@table(
    ("texts", "override", "constraints"),
    [
        ((required('a = { source = "acme/aws", version = "~> 1.2, >= 1.2" }'),), "", ">= 1.2.0, ~> 1.2"),
        ((required('a = { source = "acme/aws" }'),), "", ""),
        ((required(ONE), 'provider "a" {\n  version = "< 2"\n}'), "",
         "1.0.0, < 2.0.0"),
        ((required(ONE + '\n b = { source = "acme/aws", version = "> 0.1" }'),), "", "> 0.1.0, 1.0.0"),
        ((required(ONE),), required('a = { source = "acme/aws" }'), ""),
        ((required(ONE), 'provider {}'), "", "1.0.0"),
        ((required('a = { source = "acme/aws", version = var.x }'),), "", None),
        ((required('a = { source = "acme/aws", version = "no version" }'),), "", None),
        ((required('b = { source = "acme/other", version = "1.0" }'),), "", None),
        ((required(ONE), 'module "x" {\n  source = "acme/x/y"\n}'), "", None),
    ],
)  # fmt: skip
def test_what_is_asked_of_a_version_is_all_that_is_written_or_not_known(
    texts: tuple[str, ...], override: str, constraints: str | None
) -> None:
    found = module(*texts, override=override)
    needed = Required(requirements=found.requirements, open=found.open, found=True)
    assert needed.constraints_on(AWS) == constraints
    assert Required(requirements=found.requirements).constraints_on(AWS) is None


def test_a_provider_that_a_block_or_a_bare_version_implies_has_its_constraints() -> None:
    implied = module('provider "aws" {\n  version = "~> 3.0"\n}')
    declared = module(required('aws = "~> 4.0"'))
    aws = ProviderAddress.parse("hashicorp/aws")
    for found, constraints in ((implied, "~> 3.0"), (declared, "~> 4.0")):
        assert Required(requirements=found.requirements, found=True).constraints_on(aws) == constraints
