"""The states in which a base's main line had a lock file, which tell that hashes were locked before."""

from __future__ import annotations

import pytest
from contract.git.repositories import LOCK, Work, lock_text

from lockwarden.core.git.repository import Repository

TEN = tuple(f"zh:{number:064x}" for number in range(10))


def states(
    work: Work, path: str = LOCK, *, limit: int = 20, now: bytes = b"", repository: Repository | None = None
) -> list[tuple[str, str]]:
    asked = repository or work.repository()
    start = asked.commit_at("HEAD")
    past = asked.earlier_states(work.folder / path, limit=limit, now=now, start=start)
    return [(each.revision.subject, each.path) for each in past]


def locked(work: Work, path: str, *hashes: str, subject: str) -> None:
    (work.folder / path).parent.mkdir(parents=True, exist_ok=True)
    work.write(path, lock_text(*hashes))
    work.commit(subject)


def test_different_states_are_told_newest_first_and_as_many_as_are_asked_for(work: Work) -> None:
    other = f"other/{LOCK}"
    for number in range(3):
        locked(work, LOCK, f"h1:{number}", subject=f"Lock {number}")
        locked(work, other, f"h1:other{number}", subject=f"Other {number}")
    locked(work, LOCK, "h1:0", subject="Lock 0 again")
    assert [subject for subject, _ in states(work)] == ["Lock 0 again", "Other 2", "Other 1"]
    assert len(states(work, limit=2)) == 2
    assert [path for _, path in states(work, other)] == [other] * 3


def test_what_stood_on_a_branch_alone_is_no_state_of_the_base(work: Work) -> None:
    locked(work, LOCK, "h1:right", subject="Right")
    work.git("checkout", "--quiet", "-b", "theirs")
    locked(work, LOCK, "h1:planted", subject="Planted")
    locked(work, LOCK, "h1:right", subject="Taken back")
    locked(work, f"other/{LOCK}", "h1:other", subject="And a real change")
    work.git("checkout", "--quiet", "-")
    work.git("merge", "--quiet", "--no-ff", "-m", "Merge theirs", "theirs")
    assert [subject for subject, _ in states(work)] == ["Merge theirs"]


def test_a_rename_since_the_base_is_followed_and_none_before_it(work: Work) -> None:
    paths = [f"{name}/{LOCK}" for name in ("one", "two", "three")]
    locked(work, paths[0], *TEN, subject="One")
    (work.folder / "two").mkdir()
    work.git("mv", paths[0], paths[1])
    locked(work, paths[1], *TEN, "h1:more", subject="Two")
    assert states(work, paths[1]) == [("Two", paths[1])]
    (work.folder / "two").rename(work.folder / "three")
    now = lock_text(*TEN, "h1:more", "h1:most")
    assert states(work, paths[2], now=now) == [("Two", paths[1])]
    assert states(work, "nowhere/else") == []


@pytest.mark.parametrize("name", ["[ab]*?.hcl", "back\\slash.hcl", ":(top)x", "!x"])
def test_a_name_is_no_pattern(work: Work, name: str) -> None:
    locked(work, name, "h1:1", subject="Named oddly")
    locked(work, "a.hcl", "h1:2", subject="Another")
    assert states(work, name) == [("Named oddly", name)]


def test_a_name_with_a_line_end_has_no_history(work: Work) -> None:
    locked(work, f"two\nlines/{LOCK}", "h1:1", subject="One")
    assert states(work, f"two\nlines/{LOCK}") == []


def test_one_list_of_commits_serves_all_files_of_a_name(work: Work) -> None:
    places = [f"{number}/{LOCK}" for number in range(5)]
    for each in places:
        locked(work, each, "h1:1", each, subject=each)
    repository = work.repository()
    assert [states(work, each, repository=repository)[0][1] for each in places] == places
    assert len(repository.git.mainlines) == 1


def test_no_more_commits_are_read_than_may_be(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lockwarden.core.git.mainline.MOST", 2)
    for number in range(4):
        locked(work, LOCK, f"h1:{number}", subject=f"Lock {number}")
    assert [subject for subject, _ in states(work)] == ["Lock 3", "Lock 2"]
