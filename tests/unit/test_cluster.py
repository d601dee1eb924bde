"""Runs on a cluster whose workers and scheduler come and go: everything is done, or a sentence tells why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from builders.registry_metadata import target
from fakes.dask import Client, KilledWorker, NeverError

from lockwarden.core import __version__
from lockwarden.core.bundles.model import ErrorRecord
from lockwarden.core.engine.registries import seats as seats_module
from lockwarden.core.engine.registries.audited_packages import AuditWork, _Answer
from lockwarden.core.engine.registries.cluster import ClusterEngine, ClusterTasks
from lockwarden.core.engine.registries.cluster_opening import _same_versions
from lockwarden.core.engine.registries.cluster_packages import ClusterPackages
from lockwarden.core.engine.registries.seats import Seats
from lockwarden.core.engine.registries.settings import WorkSettings
from lockwarden.core.http.elsewhere import AskedPackage
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State
from lockwarden.core.registry_metadata.model import package_key
from lockwarden.core.registry_metadata.plan import PlannedPackage
from lockwarden.core.store.fresh_packages import FreshPackageStore
from lockwarden.core.store.known_facts import WrittenError, WrittenPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, NotThereError, SourceError, Stage, ToolError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode


def unused(*_: object) -> Any:
    raise AssertionError("a worker runs it, and not this process")


TASKS = ClusterTasks(work=unused, package=unused, hold=unused, versions=unused, end=unused)
MADE = [target(name) for name in ("one", "two", "three", "four")]
PACKAGES = tuple(
    PlannedPackage(
        key=package_key(each.download_url, each.digest), url=each.download_url, shasum=each.digest, subjects=()
    )
    for each in MADE
)
ASKED = AskedPackage(url="https://user:secret@dl.example.test/a.zip", zh=Hash("zh:" + "a" * 64), size=7, retries=2)


@pytest.fixture(autouse=True)
def _looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits a second for the next look at the workers."""
    for module in ("seats", "cluster", "cluster_packages"):
        monkeypatch.setattr(f"lockwarden.core.engine.registries.{module}.LOOK", 0.0)


def lines(_: bytes, batch: bytes) -> bytes:
    """What an honest worker gives."""
    asked = msgspec.json.decode(batch, type=tuple[PlannedPackage, ...])
    made = {each.digest: each for each in MADE}
    return msgspec.json.encode(
        [
            JournalLine(
                key=each.key,
                url=each.url,
                zh_expected=each.shasum,
                state=State.DONE,
                zh=each.shasum,
                size=len(made[each.shasum].body),
                h1_archive=made[each.shasum].right_h1,
            )
            for each in asked
        ]
    )


def backfilled(client: Client) -> list[str]:
    """The keys of what came back of all packages."""
    found: list[str] = []

    async def run() -> None:
        engine = ClusterEngine(client, WorkSettings(run_id="r"), TASKS, Seats(client, client.workers))
        await engine.run(PACKAGES, lambda line: found.append(line.key))

    asyncio.run(run())
    return found


def test_what_only_workers_could_do_that_are_gone_goes_to_others_and_is_done_once() -> None:
    client = Client(work=lines, workers={"tcp://a", "tcp://b"})

    def dies_first(settings: bytes, batch: bytes) -> bytes:
        if len(client.submitted) == 1:
            client.workers = {"tcp://c", "tcp://d", "tcp://e"}
            raise NeverError
        return lines(settings, batch)

    client.work = dies_first
    assert sorted(backfilled(client)) == sorted(each.key for each in PACKAGES)
    # As many seats as before, and none of a worker that is gone.
    assert client.submitted[0][1] == ("tcp://a", "tcp://b")
    assert client.submitted[-1][1] == ("tcp://c", "tcp://d")
    assert len(client.cancelled) == 1


def test_a_batch_that_workers_die_of_is_done_one_by_one_and_the_deadly_package_is_named() -> None:
    client = Client(work=lines, workers={"tcp://a"})
    sizes: list[int] = []

    def dies_of_more(settings: bytes, batch: bytes) -> bytes:
        sizes.append(batch.count(b'"shasum"'))
        if sizes == [1] or MADE[3].digest.encode() in batch:
            raise KilledWorker
        return lines(settings, batch)

    client.work = dies_of_more
    with pytest.raises(ToolError, match=f"each worker that looks at {PACKAGES[3].url} dies"):
        backfilled(client)
    keys = [key for key, _ in client.submitted]
    assert len(keys) == len(set(keys))
    assert [key.rpartition("-")[2] for key in keys].count("3") == 1


@pytest.mark.parametrize("of_packages", [False, True])
def test_a_scheduler_that_is_gone_and_workers_that_never_come_back_end_a_run(
    monkeypatch: pytest.MonkeyPatch, of_packages: bool
) -> None:
    def run(client: Client) -> None:
        if of_packages:
            asked(client)
        else:
            backfilled(client)

    def nothing(*_: bytes) -> bytes:
        raise NeverError

    client = Client(work=nothing, workers={"tcp://a"}, gone=True)
    with pytest.raises(ToolError, match="the scheduler does not answer any more: closed") as told:
        run(client)
    assert "go on with the same command" in told.value.hint
    client = Client(work=nothing, workers={"tcp://a"})
    monkeypatch.setattr(seats_module, "_ALONE", 0.0)

    def leave(*_: bytes) -> bytes:
        client.workers = set()
        raise NeverError

    client.work = leave
    with pytest.raises(ToolError, match="all workers of the cluster have been gone"):
        run(client)
    assert client.cancelled == client.futures


def asked(client: Client, *, here: bool = True) -> Any:
    async def run() -> Any:
        packages = ClusterPackages(client, HTTP, TASKS, Seats(client, client.workers), here=here)
        return await packages.package(ASKED)

    return asyncio.run(run())


HTTP = HttpSettings(packages_per_host=6, ca_file="/ca.pem", proxies={"https": "http://user:pass@proxy.example.test"})
KNOWN = WrittenPackage(
    zh="a" * 64,
    size=7,
    computed_on=5,
    facts=None,
    error=WrittenError(ArchiveFault.HTML, "no archive", "look"),
    givers={"registry x": 5},
)


def said(**answer: Any) -> Callable[[bytes, bytes], bytes]:
    return lambda settings, data: msgspec.json.encode(_Answer(**{"asked": ASKED, **answer}))


def test_a_worker_says_what_a_package_is_and_no_secret_of_this_machine_leaves_it() -> None:
    seen: list[AuditWork] = []

    def work(settings: bytes, data: bytes) -> bytes:
        seen.append(msgspec.json.decode(settings, type=AuditWork))
        assert msgspec.json.decode(data, type=AskedPackage) == ASKED
        return said(package=KNOWN)(settings, data)

    for here in (True, False):
        client = Client(work=work, workers={"tcp://a", "tcp://b", "tcp://c", "tcp://d"})
        found = asked(client, here=here)
        assert (found.zh, found.size, found.archive_error.message) == (ASKED.zh, 7, "no archive")
        # Nothing of when and where, as of a package that was hashed here just now.
        assert (found.computed_on, dict(found.givers)) == (None, {})
        assert [each.released for each in client.futures] == [True]
    local, elsewhere = seen
    assert (local.http.ca_file, local.http.proxies) == (HTTP.ca_file, HTTP.proxies)
    assert (elsewhere.http.ca_file, elsewhere.http.proxies) == ("", {})
    assert local.http.packages_per_host == elsewhere.http.packages_per_host == 1
    assert local.run != elsewhere.run


@pytest.mark.parametrize(
    ("name", "kind"), [("not there", NotThereError), ("no answer", NoAnswerError), ("bad answer", BadAnswerError)]
)
def test_what_a_worker_met_is_raised_here_as_it_was_there(
    name: Literal["not there", "no answer", "bad answer"], kind: type[SourceError]
) -> None:
    failure = ErrorRecord(
        kind=name, message="it is so", hint="do that", stage=Stage.PACKAGE, code=ProblemCode.HTTP_STATUS
    )
    with pytest.raises(kind) as met:
        asked(Client(work=said(failure=failure), workers={"tcp://a"}))
    error = met.value
    assert type(error) is kind
    assert (error.message, error.hint, error.stage, error.code) == (
        "it is so",
        "do that",
        Stage.PACKAGE,
        ProblemCode.HTTP_STATUS,
    )


FAILURE = ErrorRecord(kind="no answer", message="m", hint="", stage=Stage.PACKAGE, code=None)


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda *_: b"{", "it is no answer about a package"),
        (lambda *_: b"\xff", "it is no answer about a package"),
        (lambda *_: b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "it is no answer about a package"),
        (lambda *_: "text", "it is no answer about a package"),
        (lambda *_: None, "it is no answer about a package"),
        (
            said(package=KNOWN, asked=msgspec.structs.replace(ASKED, url="https://other.example.test/")),
            "another package",
        ),
        (said(), "contradicts itself"),
        (said(package=KNOWN, failure=FAILURE), "contradicts itself"),
        (said(package=msgspec.structs.replace(KNOWN, error=None)), "contradicts itself"),
        (said(package=msgspec.structs.replace(KNOWN, zh="A" * 64)), "no package could have"),
        (said(package=msgspec.structs.replace(KNOWN, size=-1)), "no package could have"),
        (said(package=msgspec.structs.replace(KNOWN, computed_on=10**30)), "it is no answer about a package"),
    ],
)
def test_a_worker_is_believed_only_an_answer_to_what_it_was_asked(work: Any, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        asked(Client(work=work, workers={"tcp://a"}))


def test_a_package_goes_to_others_when_its_workers_are_gone_or_die_of_it() -> None:
    client = Client(work=said(package=KNOWN), workers={"tcp://a"})
    attempts: list[int] = []

    def dies(settings: bytes, data: bytes) -> bytes:
        attempts.append(1)
        if len(attempts) == 1:
            client.workers = {"tcp://b"}
            raise NeverError
        if len(attempts) == 2:
            raise KilledWorker
        return said(package=KNOWN)(settings, data)

    client.work = dies
    assert asked(client).size == 7
    assert [workers for _, workers in client.submitted] == [("tcp://a",), ("tcp://b",), ("tcp://b",)]
    assert len({key for key, _ in client.submitted}) == 3

    def deadly(*_: bytes) -> bytes:
        raise KilledWorker

    client = Client(work=deadly, workers={"tcp://a"})
    with pytest.raises(ToolError, match=r"each worker that looks at https://dl\.example\.test/a\.zip dies"):
        asked(client)
    assert len(client.submitted) == 4

    def broken(*_: bytes) -> bytes:
        raise RuntimeError("no module")

    with pytest.raises(ToolError, match="the cluster did not do its work: RuntimeError: no module"):
        asked(Client(work=broken, workers={"tcp://a"}))


def test_an_audit_that_is_ended_takes_its_question_back() -> None:
    def nothing(*_: bytes) -> bytes:
        raise NeverError

    client = Client(work=nothing, workers={"tcp://a"})

    async def ended() -> None:
        packages = ClusterPackages(client, HTTP, TASKS, Seats(client, client.workers), here=True)
        task = asyncio.ensure_future(packages.package(ASKED))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(client.submitted) == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(ended())
    assert client.cancelled == client.futures


def test_a_cluster_of_other_versions_is_not_handed_anything() -> None:
    def told(client: Client) -> ToolError | None:
        check: Coroutine[Any, Any, None] = _same_versions(client, TASKS, "2026.7.1")
        try:
            asyncio.run(check)
        except ToolError as error:
            return error
        return None

    def cluster(scheduler: str, worker: str, installed: Any) -> Client:
        def packages(version: str) -> Any:
            return {"packages": {"distributed": version}}

        return Client(
            work=lines,
            workers={"tcp://a"},
            versions={"scheduler": packages(scheduler), "workers": {"tcp://a": packages(worker)}},
            installed=installed,
        )

    ours = {"tcp://a": (__version__, "3.11")}
    assert told(cluster("2026.7.1", "2026.7.1", ours)) is None
    for client, words in (
        (cluster("2025.1.0", "2026.7.1", ours), "the scheduler has distributed 2025.1.0, and this machine 2026.7.1"),
        (cluster("2026.7.1", "2025.1.0", ours), "tcp://a has distributed 2025.1.0, and this machine 2026.7.1"),
        (cluster("2026.7.1", "2026.7.1", {"tcp://a": ("0.0.1", "3.11")}), "the worker tcp://a has lockwarden 0.0.1"),
        (cluster("2026.7.1", "2026.7.1", ModuleNotFoundError("lockwarden")), "the workers cannot run lockwarden"),
    ):
        error = told(client)
        assert error is not None
        assert words in error.message
        assert error.hint


@pytest.mark.parametrize("lasting", [True, False])
def test_what_this_machine_computed_is_known_later_and_what_others_said_only_now(tmp_path: Path, lasting: bool) -> None:
    key = UserKey.at(tmp_path / "key")
    package = KNOWN.known()
    assert package is not None
    zh = package.zh

    async def found_later() -> list[bool]:
        found = []
        async with PackageStore(tmp_path / "cache", key=key, now=lambda: 1e9) as store:
            given = store.of_giver("registry x")
            await given.learn(package, promised=True, lasting=lasting)
            other = store.of_giver("registry y")
            found += [await each.find(zh) is not None for each in (given, other)]
        async with PackageStore(tmp_path / "cache", key=key, now=lambda: 1e9) as store:
            found.append(await store.find(zh) is not None)
        async with FreshPackageStore(tmp_path / "cache", key=key, now=lambda: 1e9) as store:
            found.append(await store.find(zh) is not None)
            await store.learn(package, promised=True, lasting=lasting)
            found.append(await store.find(zh) is not None)
        async with PackageStore(None, now=lambda: 1e9) as store:
            await store.learn(package, promised=False, lasting=lasting)
            found.append(await store.find(zh) is not None)
        return found

    # What one place gave says nothing of another; what is to be computed anew is; what nobody promised is not known.
    assert asyncio.run(found_later()) == [True, False, lasting, False, True, False]
    for here in (True, False):
        client = Client(work=lines, workers={"tcp://a"})

        async def made(client: Client = client, here: bool = here) -> ClusterPackages:
            return ClusterPackages(client, HTTP, TASKS, Seats(client, client.workers), here=here)

        assert asyncio.run(made()).lasting is here
