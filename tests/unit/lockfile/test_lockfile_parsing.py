"""Reading lock files from bytes: what is found, what is refused, and how it is said."""

from __future__ import annotations

import pytest
from builders.lock_texts import WIDGET, problem, problems, read
from builders.reading import parse
from builders.tables import table

from lockwarden.core.lockfile.tokens import MAX_STRING
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import LockFileInvalidError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity

ZH = "zh:" + "ab" * 32
H1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_an_entry_is_read_with_the_lines_of_everything() -> None:
    text = (
        f'\n{WIDGET}  constraints = "~> 1.0"\n  hashes = [\n    "{H1}",\n\n    # other\n    "{ZH}", "h9:x",\n  ]\n}}\n'
    )
    (entry,) = read(text).providers
    assert str(entry.address) == "registry.opentofu.org/acme/widget"
    assert (str(entry.version), entry.constraints, entry.line) == ("1.0.0", "~> 1.0", 2)
    assert [(locked.hash.text, locked.line) for locked in entry.hashes] == [(H1, 6), (ZH, 9), ("h9:x", 9)]


def test_the_bytes_and_the_path_are_kept() -> None:
    lock_file = parse(b"\xef\xbb\xbf# \xff\r\n", path="here")
    assert (lock_file.data, lock_file.path, lock_file.providers) == (b"\xef\xbb\xbf# \xff\r\n", "here", ())


def test_a_provider_is_found_by_its_address() -> None:
    lock_file = read(f"{WIDGET}}}\n")
    assert lock_file.provider(ProviderAddress.parse("acme/widget")) is lock_file.providers[0]
    assert lock_file.provider(ProviderAddress.parse("acme/other")) is None


@table(
    ("hashes", "protects"),
    [
        ("", False),
        (f'hashes = ["{ZH}"]', True),
        (f'hashes = ["{H1}"]', True),
        ('hashes = ["h9:x", "sha256:y"]', False),
        (f'hashes = ["{ZH.upper()}"]', False),
        (f'hashes = ["h1:x", "{ZH[:-1]}"]', True),
        (f'hashes = ["h9:x", "{ZH}"]', True),
    ],
)
def test_only_a_hash_of_a_known_scheme_protects_even_one_that_can_never_match(hashes: str, *, protects: bool) -> None:
    assert read(f"{WIDGET}{hashes}\n}}\n").providers[0].protects is protects


def test_repeated_hashes_are_kept_in_order_and_counted_once_in_the_set() -> None:
    (entry,) = read(f'{WIDGET}hashes = ["{ZH}", "{H1}", "{ZH}"]\n}}\n').providers
    assert [locked.hash.text for locked in entry.hashes] == [ZH, H1, ZH]
    assert entry.hash_set == {Hash(ZH), Hash(H1)}


@table(
    ("value", "expected"),
    [
        (r'"h9:a\tb\nc\"d\\e\u00e9\u0007"', 'h9:a\tb\nc"d\\e\u00e9\u0007'),
        (r'"h9:\U0001f600"', "h9:\U0001f600"),
        ('"h9:$${x}%%{y}"', "h9:${x}%{y}"),
        ('"h9:$$$${x"', "h9:$$${x"),
        ('"h9:$ $$ % %% $x %x"', "h9:$ $$ % %% $x %x"),
        ('"h9:e\u0301"', "h9:\u00e9"),
        ('"h9:\t\x01\x7f"', "h9:\t\x01\x7f"),
        ('"${"h9:x"}"', "h9:x"),
        ('"h9:${"x"}${1}${true}${1.50}"', "h9:x1true1.5"),
        ('"${ ("h9:x") }"', None),
        ('"${"${"h9:x"}"}"', "h9:x"),
        ('(\n("h9:x"\n)\n)', "h9:x"),
        ('"h9:${0}${007}${0.0}"', "h9:070"),
    ],
)
def test_a_string_stands_for_what_the_clients_read(value: str, expected: str | None) -> None:
    text = f"{WIDGET}hashes = [{value}]\n}}\n"
    if expected is None:
        assert problem(text).summary == "Unsupported expression"
    else:
        assert read(text).providers[0].hashes[0].hash.text == expected


def test_one_error_is_said_in_one_sentence_with_path_and_line() -> None:
    with pytest.raises(LockFileInvalidError) as caught:
        read(WIDGET.replace("1.0.0", "1.0") + "}\n")
    assert str(caught.value).startswith("lock:2: ")
    assert (caught.value.path, caught.value.hint) == ("lock", 'write "1.0.0"')
    assert str(caught.value.diagnostics[0]).startswith("line 2: ")


def test_all_problems_of_a_file_are_collected_in_the_order_of_its_lines() -> None:
    text = (
        'a = 1\nprovider "a.test/b/c" {\n  version = "1"\n  constraints = "~>1.0"\n  x {}\n'
        '  hashes = ["abc", null, foo]\n}\n'
        'provider "Acme" {}\nprovider "a.test/b/d" {\n  version = "2"\n  oops\n}\n'
        'provider "a.test/b/e" {\n  hashes = []\n}\n'
    )
    assert [(found.line, found.summary) for found in problems(text)] == [
        (1, "Unsupported argument"),
        (3, "Invalid provider version number"),
        (4, "Invalid provider version constraints"),
        (5, "Unsupported block type"),
        (6, "Invalid provider hash string"),
        (6, "Unsuitable value type"),
        (6, "Variables not allowed"),
        (8, "Non-normalized provider source address"),
        (10, "Invalid provider version number"),
        (11, "Argument or block definition required"),
        (13, "Missing required argument"),
        (14, "Invalid provider hash set"),
    ]
    with pytest.raises(LockFileInvalidError, match=r"\(and 11 more problems\)"):
        read(text)


def test_a_second_block_for_one_provider_names_both_lines() -> None:
    found = problem(f"{WIDGET}}}\n\n{WIDGET}}}\n")
    assert (found.line, found.summary) == (5, "Duplicate provider lock")
    assert found.message.endswith("is locked twice, at lines 1 and 5")


def test_many_blocks_for_one_provider_are_one_problem_with_every_line() -> None:
    others = 'provider "registry.opentofu.org/acme/other" {\n  version = "1.0.0"\n}\n'
    found = problem(f"{WIDGET}}}\n{others}{WIDGET}}}\n{WIDGET}}}\n{WIDGET}}}\n")
    assert (found.line, found.summary) == (7, "Duplicate provider lock")
    assert found.message.endswith("is locked 4 times, at lines 1, 7, 10 and 13")
    for count, end in ((8, "16, 19 and 22"), (9, "16, 19 and 2 more"), (20, "16, 19 and 13 more")):
        assert problem(f"{WIDGET}}}\n" * count).message.endswith(f"at lines 1, 4, 7, 10, 13, {end}")


def test_a_bad_hash_names_the_line_of_the_list_and_its_own() -> None:
    found = problem(f'{WIDGET}  hashes = [\n    "{H1}",\n    "abc",\n  ]\n}}\n')
    assert found.line == 3
    assert "(line 5)" in found.message


def test_a_merge_conflict_is_named_with_the_lines_of_its_markers() -> None:
    text = f"<<<<<<< HEAD\n{WIDGET}}}\n=======\n{WIDGET}}}\n>>>>>>> other\n"
    found = problem(text)
    assert (found.line, found.summary) == (1, "Unresolved merge conflict")
    assert found.message.endswith("lines 1, 5, 9")


def test_a_merge_conflict_with_its_base_and_windows_line_ends_is_recognised() -> None:
    text = "<<<<<<<\r\na\r\n||||||| base\r\nb\r\n=======\r\nc\r\n>>>>>>>\r\n"
    assert problem(text).message.endswith("lines 1, 3, 5, 7")


def test_a_long_conflict_names_its_first_markers_only() -> None:
    assert problem("<<<<<<< x\n" * 50).message.endswith("10, 11, 12 and more")


def test_conflict_markers_in_a_comment_do_no_harm() -> None:
    assert len(read(f"/*\n<<<<<<< HEAD\n=======\n>>>>>>> x\n*/\n{WIDGET}}}\n").providers) == 1


def test_a_row_of_equals_signs_alone_is_no_conflict() -> None:
    assert problem("=======\n").summary == "Argument or block definition required"


def test_a_module_block_is_a_warning_once() -> None:
    lock_file = read(f'module "a" {{\n  x = [for y in z : "${{y}}"]\n  b {{}}\n}}\nmodule "b" {{}}\n{WIDGET}}}\n')
    assert [(found.severity, found.line) for found in lock_file.warnings] == [(Severity.WARNING, 1)]


def test_a_byte_order_mark_and_mixed_line_ends_are_noted() -> None:
    notes = read(f"\ufeff{WIDGET}}}\r\n").warnings
    assert [(note.severity, note.summary) for note in notes] == [
        (Severity.NOTE, "Byte order mark"),
        (Severity.NOTE, "Mixed line ends"),
    ]
    assert read(f"{WIDGET}}}\n".replace("\n", "\r\n")).warnings == ()


@table(
    ("top", "client"),
    [
        ("", Client.OPENTOFU),
        ('# This file is maintained automatically by "tofu init".\n', Client.OPENTOFU),
        ('# This file is maintained automatically by "terraform init".\n', Client.TERRAFORM),
        ('\ufeff\r\n// x\n# This file is maintained automatically by "terraform init".\r\n', Client.TERRAFORM),
        (f'{WIDGET}}}\n# This file is maintained automatically by "terraform init".\n', Client.OPENTOFU),
        ('/* # "terraform init" */\n', Client.OPENTOFU),
        ('# This file is maintained automatically by "tofu init".\n# "terraform init"\n', Client.OPENTOFU),
    ],
)
def test_the_header_comment_says_whose_file_it_is(top: str, client: Client) -> None:
    assert read(top).client is client
    assert read(top, client=Client.TERRAFORM).client is Client.TERRAFORM


def test_terraform_has_another_default_registry_and_fewer_built_in_providers() -> None:
    short = 'provider "acme/widget" {\n  version = "1.0.0"\n}\n'
    assert problems(short, client=Client.OPENTOFU)[0].hint == 'write "registry.opentofu.org/acme/widget"'
    assert problems(short, client=Client.TERRAFORM)[0].hint == 'write "registry.terraform.io/acme/widget"'
    builtin = 'provider "opentofu.org/builtin/x" {\n  version = "1.0.0"\n}\n'
    assert problems(builtin, client=Client.OPENTOFU)[0].summary == "Invalid provider source address"
    assert len(read(builtin, client=Client.TERRAFORM).providers) == 1


@table(
    ("text", "line", "summary"),
    [
        ("x", 1, "Argument or block definition required"),
        ('"x" = 1\n', 1, "Invalid argument name"),
        ("a = 1 b = 2\n", 1, "Missing newline after argument"),
        ("a {} b {}\n", 1, "Missing newline after block definition"),
        ("a { b = 1, c = 2 }\n", 1, "Invalid single-argument block definition"),
        ("a { b = 1\n}\n", 1, "Invalid single-argument block definition"),
        ("a { b }\n", 1, "Invalid single-argument block definition"),
        ('a { "b" = 1 }\n', 1, "Invalid single-argument block definition"),
        ("a { b {} }\n", 1, "Invalid single-argument block definition"),
        ('a "b" =\n', 1, "Invalid block definition"),
        ('a "${b}" {}\n', 1, "Invalid string literal"),
        ('a "\\x" {}\n', 1, "Invalid escape sequence"),
        ('a = "\\ud800"\n', 1, "Invalid escape sequence"),
        ('a = "\\U00110000"\n', 1, "Invalid escape sequence"),
        ('a = "${"\\q"}"\n', 1, "Invalid escape sequence"),
        ("a =\n1\n", 1, "Invalid expression"),
        ("a = [1,,2]\n", 1, "Invalid expression"),
        ("a = [1 2]\n", 1, "Missing item separator"),
        ("a = [1\n\n2]\n", 3, "Missing item separator"),
        ("a = (1, 2)\n", 1, "Unbalanced parentheses"),
        ("a = {b = 1\n", 2, "Unbalanced brackets"),
        ('a = "b\nc"\n', 1, "Unterminated string"),
        ('a = "b\\\n', 1, "Unterminated string"),
        ('a = "${b\n', 1, "Unterminated template"),
        ("a = <<E\nx\nE\n", 1, "Unsupported expression"),
        ("\n/* a\n", 2, "Unclosed comment"),
        ("a {\nb = 1\n", 1, "Unclosed configuration block"),
        ("\n \x00\n", 2, "Invalid character"),
        ("a\r", 1, "Invalid character"),
        ("\x0b", 1, "Invalid character"),
        ("\ufeff\ufeff", 1, "Invalid character"),
        ("a = 1;\n", 1, "Invalid character"),
        ("\udcff", 1, "Invalid character encoding"),
        ('a = "\udcff"\n', 1, "Invalid character encoding"),
    ],
)
def test_what_is_not_hcl_is_refused_at_its_line(text: str, line: int, summary: str) -> None:
    assert (line, summary) in [(entry.line, entry.summary) for entry in problems(text)]


@table("content", ["{}", "${{{}}}", '${{"{}"}}'])
@table("piece", ["x", "$", "\\n", "é"])
def test_a_string_over_the_limit_is_refused(content: str, piece: str) -> None:
    found = problems(f'a = "{content.format(piece * (MAX_STRING + 1))}"\n')
    assert {"String too long", "Invalid character"} & {entry.summary for entry in found}


@table(
    ("value", "summary"),
    [
        ("foo", "Variables not allowed"),
        ("foo.bar[0]", "Variables not allowed"),
        ('"${foo}"', "Variables not allowed"),
        ('"a${foo}"', "Variables not allowed"),
        ("(foo)", "Variables not allowed"),
        ('upper("1.0.0")', "Function calls not allowed"),
        ('"${upper("1.0.0")}"', "Function calls not allowed"),
        ("1 + 1", "Unsupported expression"),
        ("-1", "Unsupported expression"),
        ("!true", "Unsupported expression"),
        ('["1.0.0"][0]', "Unsupported expression"),
        ('true ? "1.0.0" : "2.0.0"', "Unsupported expression"),
        ('"%{ if true }1.0.0%{ endif }"', "Unsupported expression"),
        ('"${~ "1.0.0" ~}"', "Unsupported expression"),
        ('"${"1.0.0" "x"}"', "Unsupported expression"),
        ('"1.0.${null}"', "Unsupported expression"),
        ('"1.0.${["0"]}"', "Unsupported expression"),
        ("{}", "Unsupported expression"),
        ('{ a = "1.0.0" }', "Unsupported expression"),
        ("[for x in [] : x]", "Invalid expression"),
        ('["1.0.0"]', "Unsuitable value type"),
        ('"${["1.0.0"]}"', "Unsupported expression"),
        ("null", "Missing required argument"),
        ('"${null}"', "Missing required argument"),
        ("1", "Invalid provider version number"),
        ("1e3", "Invalid provider version number"),
        ("false", "Invalid provider version number"),
        ('"${1}"', "Invalid provider version number"),
    ],
)
def test_a_version_that_is_no_plain_string_is_refused(value: str, summary: str) -> None:
    found = problem(f'provider "a.test/b/c" {{\n  version = {value}\n}}\n')
    assert (found.line, found.summary) == (2, summary)


@table(
    ("text", "line", "summary"),
    [
        ("x {}\n", 1, "Unsupported block type"),
        ("\nprovider {\n}\n", 2, "Missing source_addr for provider"),
        ("module {\n}\n", 1, "Missing path for module"),
        ('provider "a.test/b/c" /* \n */ "x" {\n}\n', 2, "Extraneous label for provider"),
        ('provider "a.test/b//c" {\n}\n', 1, "Invalid provider source address"),
        ('provider "terraform.io/builtin/terraform" {\n}\n', 1, "Invalid provider source address"),
        ('provider "registry.opentofu.org/-/aws" {\n}\n', 1, "Invalid provider source address"),
        ("provider acme {\n}\n", 1, "Non-normalized provider source address"),
        ('provider "a.test/bu\u0308ro/c" {\n}\n', 1, "Non-normalized provider source address"),
        ('provider "a.test/b/c" {\n}\n', 1, "Missing required argument"),
        (f"{WIDGET}  signed_by = 1\n}}\n", 3, "Unsupported argument"),
        (f"{WIDGET}  x {{}}\n}}\n", 3, "Unsupported block type"),
        (WIDGET.replace("1.0.0", "v1.0.0") + "}\n", 2, "Invalid provider version number"),
        (f'{WIDGET}  constraints = "1.*"\n}}\n', 3, "Invalid provider version constraints"),
        (f'{WIDGET}  constraints = "~>1.0"\n}}\n', 3, "Invalid provider version constraints"),
        (f"{WIDGET}  constraints = null\n}}\n", 3, "Unsuitable value type"),
        ("x = a.b", 1, "Unsupported argument"),
    ],
)
def test_what_no_lock_file_may_hold_is_refused_at_its_line(text: str, line: int, summary: str) -> None:
    found = problem(text)
    assert (found.line, found.summary) == (line, summary)
    assert found.hint or "string is required" in found.message


@table("value", ["null", '"h1:x"', '(["h1:x"])', 'tolist(["h1:x"])', '[for x in ["h1:x"] : x]', "{}"])
def test_hashes_that_are_no_literal_list_are_refused(value: str) -> None:
    assert problem(f"{WIDGET}  hashes = {value}\n}}\n").summary == "Invalid expression"


def test_an_argument_that_is_set_twice_is_refused_where_it_is_set_again() -> None:
    found = problem(f'{WIDGET}  version = "2.0.0"\n}}\n')
    assert (found.line, found.summary) == (3, "Attribute redefined")


def test_utf_16_is_named_as_such() -> None:
    for data in (f"{WIDGET}}}\n".encode("utf-16"), b"\xfe\xff\x00a"):
        with pytest.raises(LockFileInvalidError, match="UTF-16") as caught:
            parse(data, path="lock")
        assert caught.value.diagnostics[0].line == 1


def test_everything_that_is_wrong_has_a_hint_for_the_operator() -> None:
    for text in (WIDGET, f"{WIDGET}/*", f"{WIDGET}}}\n{WIDGET}}}\n", 'provider "x" {}\n', "<<<<<<< a\n"):
        assert problems(text)[0].hint


@table(
    ("text", "line", "kind"),
    [
        ('terraform {\n  required_version = "1.0"\n}\nresource "a" "b" {\n}\n', 1, "terraform"),
        ('# mine\nvariable "x" {\n}\n', 2, "variable"),
        ('provider "aws" {\n  region = "a"\n}\nlocals {\n}\n', 4, "locals"),
        ("provider_installation {\n  direct {\n  }\n}\n", 1, "provider_installation"),
        ('mirror "https://a.test/" {\n}\n', 1, "mirror"),
    ],
)
def test_another_file_is_told_as_no_lock_file_with_one_error(text: str, line: int, kind: str) -> None:
    with pytest.raises(LockFileInvalidError) as caught:
        parse(text.encode(), path="main.tf")
    (told,) = caught.value.diagnostics
    assert told.line == line
    assert told.message == f"this is no lock file: it is a file with a {kind} block, and locks no provider"
    assert "name the lock file" in told.hint


def test_a_lock_file_with_a_block_of_the_configuration_in_it_is_told_line_by_line() -> None:
    text = 'provider "example.test/acme/widget" {\n  version = "1.0.0"\n}\nlocals {\n}\n'
    with pytest.raises(LockFileInvalidError) as caught:
        parse(text.encode(), path="x")
    assert [(each.line, each.summary) for each in caught.value.diagnostics] == [(4, "Unsupported block type")]
