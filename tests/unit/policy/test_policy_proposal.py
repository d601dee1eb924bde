"""The proposal: what signs today is named, what does not is told, and the present lock file satisfies all of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from builders.audits import (
    DARWIN,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    reported,
    signed,
    zh,
    zh_list,
)
from builders.reviews import entry_text, lock_file
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import SignedBy
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import Policy
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.policy_proposal import proposal
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeySeen, KeyState, SignatureState

DAY = date(2026, 11, 28)
OTHER = "F" * 40
WIDGET, GADGET, THING = (
    ProviderAddress.parse(f"registry.example.test/{each}") for each in ("acme/widget", "acme/gadget", "corp/thing")
)


def proposed(audits: Iterable[Audit], *files: LockFile) -> str:
    return proposal(audits, files, seen=DAY).decode()


def policy_of(text: str) -> Policy:
    return read_policy(text.encode(), path=".lockwarden.hcl", folder=Path("/srv"))


def release(address: ProviderAddress, *platforms: Platform, signer: str = FINGERPRINT, bare: bool = False) -> Audit:
    """An audit of an origin that gave out all its packages, signed by one key, or by none when it is `bare`."""
    origin = origin_with(*(platforms or (LINUX,)), authenticated=not bare)
    seen = (
        (hash_, replace(each, fingerprint=signer, signing_fingerprint=signer) if isinstance(each, SignedBy) else each)
        for hash_, each in origin.observations
    )
    return audit(replace(origin, observations=tuple(seen)), address=address)


def locked(
    *addresses: ProviderAddress, platforms: Iterable[Platform] = (LINUX,), more: Iterable[Hash] = ()
) -> LockFile:
    hashes = [*(make(str(each)) for each in platforms for make in (zh, h1)), *more]
    return lock_file(*(entry_text(*hashes, address=str(each)) for each in addresses))


def pins(text: str) -> dict[str, list[str]]:
    return {key.fingerprint: [str(each) for each in key.providers] for key in policy_of(text).keys}


class TestKeys:
    def test_a_key_that_signs_all_of_a_namespace_is_named_for_the_namespace(self) -> None:
        text = proposed([release(WIDGET), release(GADGET)], locked(WIDGET, GADGET))
        assert pins(text) == {FINGERPRINT: ["registry.example.test/acme/*"]}

    def test_a_key_that_signs_a_part_of_a_namespace_is_named_for_that_part(self) -> None:
        text = proposed([release(WIDGET), release(GADGET, signer=OTHER)], locked(WIDGET, GADGET))
        assert pins(text) == {
            OTHER: ["registry.example.test/acme/gadget"],
            FINGERPRINT: ["registry.example.test/acme/widget"],
        }

    def test_one_key_has_one_block_for_all_its_namespaces(self) -> None:
        text = proposed([release(WIDGET), release(THING)], locked(WIDGET, THING))
        assert pins(text) == {FINGERPRINT: ["registry.example.test/acme/*", "registry.example.test/corp/*"]}

    def test_several_lock_files_make_one_policy(self) -> None:
        text = proposed([release(WIDGET), release(GADGET, bare=True)], locked(WIDGET), locked(GADGET))
        assert pins(text) == {FINGERPRINT: ["registry.example.test/acme/widget"]}

    def test_the_facts_of_the_key_and_the_day_are_told(self) -> None:
        key = KeySeen(
            fingerprint=FINGERPRINT,
            key_id=FINGERPRINT[-16:],
            user_ids=("Acme Releases <releases@acme.example.test>", "Other"),
            algorithm="rsa4096",
            created=datetime(2020, 1, 1, tzinfo=UTC),
            expires=None,
            state=KeyState.VALID,
        )
        seen = release(WIDGET)
        text = proposed([replace(seen, source_answers=(replace(seen.source_answers[0], keys=(key,)),))], locked(WIDGET))
        assert policy_of(text).keys[0].owner == "Acme Releases <releases@acme.example.test>"
        for line in (
            "# First seen on 2026-11-28, when it signed 1 of the locked releases.",
            "# Claims to be Acme Releases <releases@acme.example.test>",
            "# Claims to be Other",
            "# rsa4096, valid on that day",
        ):
            assert line in text.splitlines()

    @pytest.mark.parametrize("user_ids", [(), (" ",)])
    def test_a_key_without_a_name_has_no_owner(self, user_ids: tuple[str, ...]) -> None:
        seen = release(WIDGET)
        key = KeySeen(
            fingerprint=FINGERPRINT,
            key_id=FINGERPRINT[-16:],
            user_ids=user_ids,
            algorithm="ed25519",
            created=None,
            expires=None,
            state=KeyState.EXPIRED,
        )
        text = proposed([replace(seen, source_answers=(replace(seen.source_answers[0], keys=(key,)),))], locked(WIDGET))
        assert policy_of(text).keys[0].owner == ""
        assert "# ed25519, expired on that day" in text

    def test_a_name_cannot_write_rules(self) -> None:
        seen = release(WIDGET)
        evil = 'x\nmirror "/evil" {\n  trusted = true\n  providers = ["*/*/*"]\n}\n#'
        key = KeySeen(
            fingerprint=FINGERPRINT,
            key_id=FINGERPRINT[-16:],
            user_ids=(evil, 'y"]}\r\n${x}\u2028'),
            algorithm="rsa2048",
            created=None,
            expires=None,
            state=KeyState.VALID,
        )
        text = proposed([replace(seen, source_answers=(replace(seen.source_answers[0], keys=(key,)),))], locked(WIDGET))
        assert policy_of(text).mirrors == ()
        assert all(char.isprintable() or char == "\n" for char in text)


class TestKeysThatAreNotNamed:
    @table("state", [state for state in SignatureState if state is not SignatureState.GOOD], ids=str)
    def test_a_key_whose_signature_does_not_count(self, state: SignatureState) -> None:
        made = signed(LINUX, state=state, valid_when_signed=False)
        seen = audit(answer(ORIGIN, (zh(str(LINUX)), made), (zh(str(LINUX)), reported(LINUX))), address=WIDGET)
        assert pins(proposed([seen], locked(WIDGET))) == {}

    def test_a_key_that_was_offered_and_signed_nothing(self) -> None:
        seen = release(WIDGET, bare=True)
        key = KeySeen(
            fingerprint=OTHER,
            key_id=OTHER[-16:],
            user_ids=("Other",),
            algorithm="rsa4096",
            created=None,
            expires=None,
            state=KeyState.VALID,
        )
        text = proposed([replace(seen, source_answers=(replace(seen.source_answers[0], keys=(key,)),))], locked(WIDGET))
        assert pins(text) == {}
        assert OTHER not in text

    def test_a_key_that_signs_a_list_without_what_is_locked(self) -> None:
        """A registry whose every answer was replaced has a key and a good signature, too."""
        file = lock_file(entry_text(zh("what we always had"), address=str(WIDGET)))
        text = proposed([release(WIDGET)], file)
        assert pins(text) == {}
        assert (
            "# No key is named for registry.example.test/acme/widget 1.2.3: signed by"
            " 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567, but 1 of the locked hashes are not in what is signed"
        ) in text.splitlines()

    def test_a_key_that_signs_some_of_what_is_locked_while_the_rest_is_disowned(self) -> None:
        assert pins(proposed([release(WIDGET)], locked(WIDGET, more=[zh("planted")]))) == {}

    def test_a_key_whose_list_nothing_locked_is_known_to_belong_to(self) -> None:
        origin = answer(ORIGIN, (zh("x"), signed(LINUX)), lists=[zh_list(zh("x"))], platforms=[LINUX])
        file = lock_file(entry_text(h1("never downloaded"), address=str(WIDGET)))
        text = proposed([audit(origin, address=WIDGET)], file)
        assert pins(text) == {}
        assert "but no locked hash is known to be covered by it" in text


class TestWhatIsNotSigned:
    def test_it_is_told_and_not_required(self) -> None:
        text = proposed([release(WIDGET, bare=True)], locked(WIDGET))
        assert "# No key is named for registry.example.test/acme/widget 1.2.3: the registry offers none" in text
        assert not any(each.signed for each in policy_of(text).requirements)

    def test_a_registry_that_did_not_answer_is_not_one_that_offers_no_key(self) -> None:
        silent = audit(answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="timed out", platforms=None), address=WIDGET)
        assert "1.2.3: no answer, timed out" in proposed([silent], locked(WIDGET))

    def test_a_registry_that_was_not_asked_is_told(self) -> None:
        text = proposed([audit(answer(MIRROR), address=WIDGET)], locked(WIDGET))
        assert "1.2.3: its origin registry is not among the sources" in text

    def test_a_provider_that_was_not_audited_is_told(self) -> None:
        assert "1.2.3: it was not audited" in proposed([], locked(WIDGET))

    def test_only_the_others_must_be_signed(self) -> None:
        text = proposed([release(WIDGET), release(GADGET, bare=True), release(THING)], locked(WIDGET, GADGET, THING))
        (required,) = (each for each in policy_of(text).requirements if each.signed)
        assert [str(each) for each in required.providers] == [
            "registry.example.test/acme/widget",
            "registry.example.test/corp/*",
        ]

    def test_a_provider_with_a_hash_that_no_signature_covers_is_told(self) -> None:
        origin = release(WIDGET).source_answers[0]
        odd = replace(
            origin,
            observations=(*origin.observations, (zh("unsigned"), reported(DARWIN))),
            lists=(zh_list(zh(str(LINUX)), zh("unsigned")),),
        )
        text = proposed([audit(odd, address=WIDGET)], locked(WIDGET, more=[zh("unsigned")]))
        assert FINGERPRINT in pins(text)
        assert not any(each.signed for each in policy_of(text).requirements)
        assert "# Not all that is locked for registry.example.test/acme/widget 1.2.3 is covered" in text

    def test_of_a_provider_in_two_versions_no_version_may_lack_a_signature(self) -> None:
        old = replace(release(WIDGET, bare=True), version=replace(release(WIDGET).version, patch=2))
        files = (locked(WIDGET), lock_file(entry_text(zh(str(LINUX)), address=str(WIDGET), version="1.2.2")))
        text = proposed([release(WIDGET), old], *files)
        assert pins(text) == {FINGERPRINT: ["registry.example.test/acme/widget"]}
        assert not any(each.signed for each in policy_of(text).requirements)


class TestRequirements:
    def test_what_every_provider_has_is_required_of_all(self) -> None:
        both = (LINUX, DARWIN)
        text = proposed([release(WIDGET, *both), release(THING, *both)], locked(WIDGET, THING, platforms=both))
        (required,) = policy_of(text).requirements
        assert [str(each) for each in required.providers] == ["*/*/*"]
        assert required.signed
        assert required.platforms == set(both)
        assert required.schemes == {"h1", "zh"}
        assert required.hosts == {"registry.example.test"}
        assert required.namespaces is None

    def test_a_platform_that_one_provider_lacks_is_not_required(self) -> None:
        audits = [release(WIDGET, LINUX, DARWIN), release(THING, LINUX, DARWIN)]
        text = proposed(audits, locked(WIDGET, platforms=(LINUX, DARWIN)), locked(THING, platforms=(LINUX,)))
        assert policy_of(text).platforms == {LINUX}

    def test_a_platform_with_one_scheme_alone_is_not_required_in_both(self) -> None:
        text = proposed([release(WIDGET, LINUX, DARWIN)], locked(WIDGET, more=[zh(str(DARWIN))]))
        assert policy_of(text).platforms == {LINUX}

    def test_a_scheme_that_one_provider_lacks_is_not_required(self) -> None:
        only_zh = lock_file(entry_text(zh(str(LINUX)), address=str(THING)))
        (required,) = policy_of(proposed([release(WIDGET), release(THING)], locked(WIDGET), only_zh)).requirements
        assert (required.schemes, required.platforms) == ({"zh"}, {LINUX})

    def test_without_a_common_scheme_any_will_do(self) -> None:
        only_zh = lock_file(entry_text(zh(str(LINUX)), address=str(THING)))
        only_h1 = lock_file(entry_text(h1(str(LINUX)), address=str(WIDGET)))
        (required,) = policy_of(proposed([release(WIDGET), release(THING)], only_h1, only_zh)).requirements
        assert (required.schemes, required.platforms) == (frozenset(), {LINUX})

    def test_a_provider_of_which_nothing_is_known_takes_no_platform_away(self) -> None:
        text = proposed([release(WIDGET)], locked(WIDGET, THING))
        assert policy_of(text).platforms == {LINUX}

    def test_without_any_audit_no_platform_is_required(self) -> None:
        assert policy_of(proposed([], locked(WIDGET))).platforms == frozenset()

    def test_hosts_are_written_with_the_letters_that_they_mean(self) -> None:
        text = proposed([], locked(ProviderAddress.parse("bücher.example.test/acme/widget")))
        assert 'hosts     = ["bücher.example.test"]' in text
        assert policy_of(text).requirements[0].hosts == {"xn--bcher-kva.example.test"}

    def test_an_empty_lock_file_asks_for_nothing(self) -> None:
        policy = policy_of(proposed([], lock_file()))
        assert (policy.keys, policy.requirements) == ((), ())


PRESENT = {
    "all signed": ([release(WIDGET, LINUX, DARWIN), release(THING)], locked(WIDGET, THING)),
    "one unsigned": ([release(WIDGET), release(GADGET, bare=True)], locked(WIDGET, GADGET)),
    "two signers": ([release(WIDGET), release(GADGET, signer=OTHER)], locked(WIDGET, GADGET)),
    "zh alone": ([release(WIDGET)], lock_file(entry_text(zh(str(LINUX)), address=str(WIDGET)))),
}


@table(("audits", "file"), PRESENT.values(), ids=PRESENT.keys())
def test_a_sound_lock_file_has_no_more_objections_under_its_own_proposal(audits: list[Audit], file: LockFile) -> None:
    policy = policy_of(proposed(audits, file))

    def objections(standards: Standards) -> list[str]:
        review = Review.start(file, settings=ClientSettings(), platforms=[LINUX], standards=standards)
        for each in audits:
            review = review.with_audit(each)
        return [
            problem.message
            for each in review.providers
            for problem in each.problems
            if problem.severity is Severity.ERROR
        ]

    assert objections(Standards(policy=policy)) == objections(Standards())
    assert not objections(Standards())


def test_a_computed_hash_is_covered_by_the_signature_over_its_archive() -> None:
    archive, made = zh("archive"), computed(LINUX, package_zh=zh("archive"))
    origin = answer(
        ORIGIN, (archive, signed(LINUX)), (h1("content"), made), lists=[zh_list(archive)], platforms=[LINUX]
    )
    file = lock_file(entry_text(h1("content"), address=str(WIDGET)))
    assert pins(proposed([audit(origin, address=WIDGET)], file)) == {FINGERPRINT: ["registry.example.test/acme/*"]}
