"""Which calls the files of a folder make: what overrides say, what is no constant, and where it stands."""

from __future__ import annotations

from lockwarden.core.configuration.json_form import read_json
from lockwarden.core.configuration.native import read_native
from lockwarden.core.modules.calls import CallsFile, ModuleCall, calls_of
from lockwarden.core.modules.pinning import Pinning

REGISTRY = "registry.opentofu.org"


def native(text: str, name: str = "main.tf", *, override: bool = False, test: bool = False) -> CallsFile:
    return CallsFile(path=name, body=read_native(text), override=override, test=test)


def one(*files: CallsFile) -> ModuleCall:
    (call,) = calls_of(files)
    return call


def test_a_call_has_the_line_of_its_source() -> None:
    text = (
        '# why\nlocals {\n  a = <<-EOT\n    module\n  EOT\n}\n\nmodule "m" {\n  count = 2\n  source = "./a" # here\n}\n'
    )
    call = one(native(text))
    assert (call.name, call.path, call.line, call.source) == ("m", "main.tf", 10, "./a")
    assert one(native(text.replace("\n", "\r\n"))).line == 10


def test_a_call_in_json_has_the_line_of_its_source() -> None:
    text = (
        '{\n  "//": "a \\" : {", "locals": {"module": {"source": "./b"}},\n'
        '  "module": [\n    {"m": {\n      "source"\n  : "./a"}},\n    {"n": [{"source": "${var.x}"}]}\n  ]\n}\n'
    )
    first, second = calls_of([CallsFile(path="main.tf.json", body=read_json(text))])
    assert (first.name, first.line, first.source) == ("m", 5, "./a")
    assert (second.name, second.line, second.source) == ("n", 7, "")
    assert second.classified(REGISTRY).pinning is Pinning.UNKNOWN


def test_an_override_replaces_what_it_says_and_nothing_else() -> None:
    base = native('module "m" {\n  source = "a/b/c"\n  version = "1.0.0"\n}\nmodule "n" {\n  source = "./n"\n}\n')
    version = native('module "m" {\n  version = "~> 1"\n}\n', "override.tf", override=True)
    first, second = calls_of([version, base])
    assert (first.path, first.line, first.source, first.version) == ("main.tf", 2, "a/b/c", "~> 1")
    assert second.source == "./n"
    source = native('\nmodule "m" {\n  source = "d/e/f"\n}\n', "m_override.tf", override=True)
    first, _ = calls_of([base, source])
    assert (first.path, first.line, first.source, first.version) == ("m_override.tf", 3, "d/e/f", "1.0.0")


def test_an_override_of_nothing_is_refused_by_the_client() -> None:
    call = one(native('module "m" {\n  source = "./a"\n}\n', override=True))
    assert call.classified(REGISTRY).pinning is Pinning.REFUSED
    assert "no file has" in call.classified(REGISTRY).reason


def test_a_call_without_a_source_is_refused_by_the_client() -> None:
    for text, line in (('module "m" {}\n', 1), ('module "m" {\n  source = ""\n}\n', 2), ("\nmodule {}\n", 2)):
        call = one(native(text))
        assert (call.line, call.classified(REGISTRY).pinning) == (line, Pinning.REFUSED)


def test_what_only_a_run_knows_is_unknown_with_the_reason() -> None:
    for value, why in (
        ("var.where", "its source goes by var.where, whose value"),
        ('"./${var.x}"', "its source is an expression"),
        ("null", "its source goes by null"),
    ):
        found = one(native(f'module "m" {{\n  source = {value}\n}}\n')).classified(REGISTRY)
        assert found.pinning is Pinning.UNKNOWN
        assert found.reason.startswith(why)
    version = 'module "m" {\n  source = "SOURCE"\n  version = var.v\n}\n'
    found = one(native(version.replace("SOURCE", "a/b/c"))).classified(REGISTRY)
    assert (found.kind, found.pinning) == ("registry", Pinning.UNKNOWN)
    assert "its version goes by var.v" in found.reason
    assert one(native(version.replace("SOURCE", "./a"))).classified(REGISTRY).pinning is Pinning.REFUSED


def test_the_runs_of_tests_call_modules_and_their_files_no_others() -> None:
    text = 'module "m" {\n  source = "./no"\n}\nrun "r" {\n  module {\n    source = "./yes"\n  }\n}\n'
    text += "run {\n  module {\n  }\n}\n"
    first, second = calls_of([native(text, "a.tftest.hcl", test=True)])
    assert (first.name, first.source, first.test, first.line) == ("r", "./yes", True, 6)
    assert (second.name, second.refused) == ("", "the call says no source")


def test_a_secret_in_a_source_is_not_in_what_a_traceback_shows() -> None:
    call = one(native('module "m" {\n  source = "git::https://ada:s3cret@example.test/a"\n}\n'))
    assert call.source.count("s3cret") == 1
    assert "s3cret" not in repr(call)
