"""URLs and JSON from outside, by the rules of Go's net/url and encoding/json, which the clients are built on.

Expected: what `url.Parse` and `json.Unmarshal` of Go 1.26 said to the very same texts.
"""

from __future__ import annotations

import httpx
import pytest
from builders.tables import table
from msgspec import Struct, to_builtins

from lockwarden.core.sources.protocols.registry_documents import read_services, read_versions
from lockwarden.core.values.errors import BadAnswerError, InputError, Stage
from lockwarden.core.values.go_addresses import read_url
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.mirror_locations import network_mirror_location, why_no_client_asks
from lockwarden.core.values.urls import first_url, readable, resolved

READ = (
    "https://m.test/a%20b/",
    "https://m.test/a b/",
    "https://[fe80::1%25eth0]/",
    "https://m.test:99999/",
    "https://m.test:0/",
    "https://m.test:/",
    "https://m.test/a\\b/",
    "https://m_x.test/",
    "https://m..test/",
    "https://m.test:00443/",
    "https://[::1]:443/",
    "https://m<x.test/",
    "https://m%C3%BC.test/",
    "https://m.test/%e2%82/",
    "//m.test/",
    "https://m.test/?%zz",
    "https://m.test/#a%20b",
)
REFUSED = (
    "https://m.test/%zz/",
    "https://m.test/%2/",
    "https://m.test/%",
    "https://[fe80::1%eth0]/",
    "https://m.test:a/",
    "https://m.test:+443/",
    "https://m.test\\a/",
    "https://m%zz.test/",
    "https://m%41.test/",
    "https://[::1]a/",
    "https://m x.test/",
    " https://m.test/",
    "https://m.test/\n",
    "https://m.test/\x7f",
    "https://m.test/#%zz",
    "https://m.test/#%2",
)


@table("text", READ)
def test_what_go_reads_as_a_url_is_one(text: str) -> None:
    assert read_url(text) is not None


@table("text", REFUSED)
def test_what_go_does_not_read_is_refused_wherever_it_comes_from(text: str) -> None:
    assert read_url(text) is None
    for ask in (
        lambda: first_url(text, stage=Stage.INDEX, insecure_hosts=frozenset()),
        lambda: resolved("https://m.test/v1/", text, stage=Stage.ARCHIVES),
    ):
        with pytest.raises(BadAnswerError) as caught:
            ask()
        assert caught.value.code == "url-refused"


@pytest.mark.parametrize("text", ["https://m.test/%zz/", "https://m.test/%2/", "https://m.test/100%/"])
def test_a_mirror_that_somebody_names_is_at_a_url_that_the_clients_read(text: str) -> None:
    with pytest.raises(InputError, match="none that the clients can read") as caught:
        network_mirror_location(text, "https", frozenset(), forms="")
    assert caught.value.hint


def test_a_port_that_no_host_has_can_be_written_and_not_asked() -> None:
    with pytest.raises(BadAnswerError, match="its port is above 65535"):
        first_url("https://m.test:99999/", stage=Stage.INDEX, insecure_hosts=frozenset())


@table(
    ("text", "sent"),
    [
        ("https://m.test/a\\b/^|", b"/a%5Cb/%5E%7C"),
        ("https://m.test/a%5Cb/?q=\\", b"/a%5Cb/?q=\\"),
        ("https://m.test/a\\b?q=\\|", b"/a%5Cb?q=\\|"),
        ('https://m.test/a"<>`{}b', b"/a%22%3C%3E%60%7B%7Db"),
        ("https://m.test/%2F/", b"/%2F/"),
    ],
)
def test_a_path_is_escaped_as_go_escapes_it_and_a_query_stays(text: str, sent: bytes) -> None:
    assert readable(httpx.URL(text)).raw_path == sent


@table(
    ("body", "whole"),
    [
        (b'{"a":"1"}', True),
        (b' {"a":"1"}\r\n\t ', True),
        (b'{"a":"1"}x', False),
        (b'{"a":"1"} {"b":"2"}', False),
        (b'{"a":"1"}\x00', False),
        (b'{"a":"1"}]', False),
    ],
)
def test_what_follows_a_document_matters_where_the_clients_read_it_as_a_whole(body: bytes, whole: bool) -> None:
    assert read_json(body, dict[str, str]) == {"a": "1"}
    if whole:
        assert read_services(body) == {"a": "1"}
    else:
        with pytest.raises(BodyError, match="behind the end"):
            read_services(body)


def test_a_list_of_versions_is_read_by_a_decoder_which_stops_behind_it() -> None:
    assert [str(each) for each in read_versions(b'{"versions":[{"version":"1.0.0"}]}{').versions] == ["1.0.0"]


class Place(Struct, omit_defaults=True):
    os: str = ""
    arch: str = ""


class Thing(Struct, omit_defaults=True):
    name: str = ""
    size: int = 0
    place: Place | None = None
    words: list[str] = []
    notes: dict[str, str] = {}


class Document(Struct, omit_defaults=True):
    things: list[Thing] = []


@table(
    ("body", "things"),
    [
        ('{"things":[{"name":"a"}],"things":[{}]}', [{"name": "a"}]),
        ('{"things":[{"name":"a"},{"name":"b"}],"things":[{}]}', [{"name": "a"}]),
        ('{"things":[{"name":"a"}],"things":[{"size":1},{"name":"b"}]}', [{"name": "a", "size": 1}, {"name": "b"}]),
        (
            '{"things":[{"name":"a"},{"name":"b"},{"name":"c"}],"things":[{}],"things":[{},{},{}]}',
            [{"name": "a"}, {"name": "b"}, {"name": "c"}],
        ),
        ('{"things":[{"name":"a"}],"things":[null]}', [{"name": "a"}]),
        ('{"things":[{"name":"a"}],"things":[],"things":[{}]}', [{}]),
        ('{"things":[{"name":"a"}],"things":null}', []),
        ('{"things":[{"name":"a"}],"things":null,"things":[{}]}', [{}]),
        ('{"things":[{"name":"a","name":null,"size":1,"size":null}]}', [{"name": "a", "size": 1}]),
        ('{"THINGS":[{"name":"a"}],"thingſ":[{}]}', [{"name": "a"}]),
        ('{"things":[{"place":{"os":"x"},"place":{"arch":"y"}}]}', [{"place": {"os": "x", "arch": "y"}}]),
        ('{"things":[{"place":{"os":"x"},"place":null,"place":{"arch":"y"}}]}', [{"place": {"arch": "y"}}]),
        ('{"things":[{"place":{"os":"x"}}],"things":[{"place":{"arch":"y"}}]}', [{"place": {"os": "x", "arch": "y"}}]),
        ('{"things":[{"words":["a","b"]}],"things":[{"words":["c"]}]}', [{"words": ["c"]}]),
        ('{"things":[{"notes":{"a":"1"}}],"things":[{"notes":{"b":"2"}}]}', [{"notes": {"a": "1", "b": "2"}}]),
    ],
)
def test_what_comes_twice_is_read_over_what_came_before(body: str, things: list[dict[str, object]]) -> None:
    """`terraform` 1.11.4 did the same with lists of versions that name them twice."""
    assert to_builtins(read_json(body.encode(), Document).things) == things


@pytest.mark.parametrize(
    "body",
    [
        b'{"things":5,"things":[]}',
        b'{"things":[{"name":5,"name":"a"}]}',
        b'{"things":[{"size":"5","size":5}]}',
        b'{"things":[{"place":5,"place":{}}]}',
        b'{"things":[{"place":[],"place":{}}]}',
        b'{"things":[{"notes":"a","notes":{}}]}',
        b'{"things":[{"size":true,"size":1}]}',
        b'{"things":[5],"things":[]}',
        b'{"things":[{},{"name":[]}],"things":[{}]}',
    ],
)
def test_what_is_no_such_document_does_not_become_one_by_what_comes_later(body: bytes) -> None:
    with pytest.raises(BodyError, match="not the JSON that was expected"):
        read_json(body, Document)


def test_members_that_come_again_and_again_take_no_hours() -> None:
    repeated = ",".join(['"place":{"os":"x"}'] * 20_000)
    (thing,) = read_json(f'{{"things":[{{{repeated}}}]}}'.encode(), Document).things
    assert thing.place == Place(os="x")
    long, short = ",".join(["{}"] * 20_000), ",".join(['"things":[{}]'] * 20_000)
    assert len(read_json(f'{{"things":[{long}],{short}}}'.encode(), Document).things) == 1


@table(
    ("host", "flaw"),
    [
        ("[::1]:8443", "[::1]:8443 is an IPv6 address"),
        ("localhost:", "its port is not a decimal number"),
        ("localhost:99999", "its port is above 65535"),
        ("a_b.test", "only letters, digits and dashes are allowed"),
        ("a~b.test:9", "only letters, digits and dashes are allowed"),
        ("a,b.test", "only letters, digits and dashes are allowed"),
        ("ab--c.test", "only letters, digits and dashes are allowed"),
        ("a-.test", "no dash at either end"),
        ("-a.test:9", "no dash at either end"),
        ("a..test", "a part of it is empty"),
        (".:9", "is not a hostname"),
        *((host, "") for host in ("127.0.0.1:9", "localhost:09", "localhost:0", "LOCALHOST", "é.test", "%C3%A9.test")),
        *(
            (host, "")
            for host in ("localhost.", "a.test..:9", "1.2:9", f"{'a' * 80}.test", "xn--9ca.test", "a-b.test:65535")
        ),
    ],
)
def test_at_which_hosts_the_clients_fail_before_they_ask_a_mirror(host: str, flaw: str) -> None:
    """Both were run with each of them: “failed to determine request credentials”, or an answer of the network."""
    told = why_no_client_asks(f"https://user:hidden@{host}/providers/")
    assert flaw in told
    assert bool(flaw) is bool(told)
    assert "hidden" not in told
