"""What is told of hashes and providers, in lines that fit, with everything that is known."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.reading import parse
from fakes.lock_files import EDGE, HEADER, NULL, PLANTED, RANDOM, RELAY, block, every_verdict
from fakes.oci_mirrors import CREDENTIALS, OCI, WIDGET, chain, oci_mirror, through_oci
from fakes.releases import DIRECT, FINGERPRINT, MIRROR, absent, audit, key, mirror, origin, release, silent
from fakes.sessions import EMPTY, SETTINGS, audited, begun, review_of
from msgspec.structs import replace
from textual.content import Content

from lockwarden.core.evidence.observations import ReportedByTrustedMirror, SignedBy
from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem, SourceAnswer
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import KeyState, SignatureState
from lockwarden.tui.render import provider_lines as found
from lockwarden.tui.render import styles as looks
from lockwarden.tui.render.details import hash_detail, provider_detail
from lockwarden.tui.render.prose import hanging, labelled
from lockwarden.tui.render.reasons import Remark, why_hash, why_provider
from lockwarden.tui.render.styles import Hue
from lockwarden.tui.render.text import plain
from lockwarden.tui.state import session
from lockwarden.tui.state.progress import ProviderProgress
from lockwarden.tui.widgets.provider_list import fitting_name

WORLD = every_verdict()
WAITING = ProviderProgress()
REMARK = Diagnostic(severity=Severity.WARNING, summary="odd", message="something is odd", line=3, hint="look at it")

BROKEN = Problem(code=ProblemCode.SIGNATURE_BAD, severity=Severity.ERROR, message="it is broken", source=DIRECT.id)


def reviewed(made_audit: Audit) -> ProviderReview:
    """One provider whose lock file holds only its manifest."""
    made = release(str(made_audit.address), str(made_audit.version))
    text = (HEADER + block(str(made.address), str(made.version), [made.manifest])).encode()
    entry = parse(text, path="x").providers[0]
    return review_provider(entry, made_audit, settings=SETTINGS, platforms=frozenset())


def row(provider: ProviderReview, text: str) -> HashRow:
    return next(each for each in provider.rows if each.hash.text == text)


def edge() -> ProviderReview:
    return review_of(audited()).provider(EDGE.address)


@pytest.mark.parametrize(
    "width", [16, 40, 200, *(pytest.param(each, marks=pytest.mark.thorough) for each in (24, 60, 80, 120))]
)
def test_no_line_is_longer_than_the_width_it_is_told_for(width: int) -> None:
    for provider in review_of(audited()).providers:
        told: list[Content] = [why_provider(provider, WAITING, (Remark.of(REMARK),), width)]
        told.append(provider_detail(provider, WAITING, (Remark.of(REMARK),), width))
        for each in provider.rows:
            told += [why_hash(provider, each, width), hash_detail(provider, each, Decision.KEEP, width)]
        for content in told:
            assert max(line.cell_length for line in content.split("\n")) <= width


def test_of_a_hash_that_nobody_was_heard_about_no_signer_is_denied() -> None:
    told = []
    for answer in (silent(DIRECT, "reset"), origin(EDGE)):
        provider = reviewed(audit(EDGE, answer))
        told.append(hash_detail(provider, provider.rows[0], Decision.UNDECIDED, 100).plain)
    assert "signed by           not known\nregistry reports    not known" in told[0]
    assert "nobody that counts" not in told[0]
    assert "not known" not in told[1]


@pytest.mark.parametrize("width", [16, 40, 200])
def test_wrapping_loses_no_word_and_hangs_below_the_first(width: int) -> None:
    words = "a sentence with one_word_that_is_much_longer_than_the_narrowest_line in it"
    told = list(hanging(Content("* "), plain(words), width))

    assert "".join("".join(line.plain[2:] for line in told).split()) == "".join(words.split())
    assert told[0].plain.startswith("* ")
    assert all(line.plain.startswith("  ") for line in told[1:])


def test_a_field_stands_beside_its_name_or_below_it() -> None:
    assert [line.plain for line in labelled("size", "12", 60)] == [f"{'size':<20}12"]
    assert [line.plain for line in labelled("size", "12", 30)] == ["size", "  12"]


def test_the_detail_of_a_hash_holds_all_that_is_known_whole() -> None:
    provider = edge()
    told = hash_detail(provider, row(provider, EDGE.zh("linux_amd64").text), Decision.KEEP, 200).plain

    for part in (
        EDGE.zh("linux_amd64").text,
        EDGE.h1("linux_amd64").text,
        EDGE.sums.sha256,
        EDGE.sums.url,
        "6A1B 5E0C 9D27 F384 AA10 B7C3 FCAC 6356 9E8F 3F24",
        "SHA256SUMS line 1 terraform-provider-edge_2.0.0_linux_amd64.zip",
        "2026-03-14 09:30 UTC",
        "Example Releases <releases@example.test>",
        "31.2 MB (31,204,118 bytes)",
        "https://mirror.example.test/providers/",
        "Observation 3 of 3: computed locally",
        "ed25519",
        ">= 1.8.0, < 3.0.0",
    ):
        assert part in told


def test_a_waiting_hash_says_that_nothing_is_known_yet() -> None:
    provider = review_of(begun()).provider(EDGE.address)
    told = hash_detail(provider, provider.rows[0], Decision.UNDECIDED, 100).plain

    assert "… waiting" in told
    assert "not known yet" in told
    assert "asking direct" in provider_detail(provider, replace(WAITING, doing="asking direct"), (), 100).plain
    assert "waiting" in why_provider(provider, replace(WAITING, doing=""), (), 100).plain


def test_what_does_not_count_says_why() -> None:
    said = origin(EDGE)
    hash_, signed = said.observations[0]
    assert isinstance(signed, SignedBy)
    subkey = "B" * 40
    refused = replace(signed, signing_fingerprint=subkey, signed_at=None, refused="the settings refuse it")
    trusted = ReportedByTrustedMirror(source=MIRROR.id, document=EDGE.sums)
    provider = reviewed(audit(EDGE, replace(said, observations=((hash_, refused), (hash_, trusted)))))
    told = hash_detail(provider, row(provider, hash_.text), Decision.UNDECIDED, 200).plain

    assert "does not count      the settings refuse it" in told
    assert "signing subkey      BBBB BBBB" in told
    assert "signed on           not said" in told
    assert "reported by trusted mirror" in told


def test_a_claim_without_a_line_names_its_document() -> None:
    provider = reviewed(audit(EDGE, mirror(EDGE, "darwin_arm64")))
    told = hash_detail(provider, row(provider, EDGE.zh("darwin_arm64").text), Decision.UNDECIDED, 200).plain

    assert "document            2.0.0.json\n" in told
    assert "listed by mirror" in told


def test_keys_tell_what_they_signed_their_state_and_their_subkeys() -> None:
    old = replace(
        key("A" * 40, "Old <old@example.test>"), state=KeyState.EXPIRED, expires=None, signing_subkeys=("C" * 40,)
    )
    nameless = replace(key("D" * 40), user_ids=(), created=None, expires=datetime(2020, 1, 1, tzinfo=UTC))
    provider = reviewed(audit(EDGE, replace(origin(EDGE), keys=(EDGE.key, old, nameless))))
    told = provider_detail(provider, WAITING, (), 200).plain
    short = why_provider(provider, WAITING, (), 200).plain

    assert "valid key, SHA256SUMS: good" in told
    assert "expired key, offered, signed nothing here" in told
    assert "signing subkey      CCCC CCCC" in told
    assert "expires             never" in told
    assert "claims to be        none" in told
    assert "created             not said" in told
    assert "no user ID" in short


def test_an_international_host_is_shown_in_both_forms() -> None:
    made = release("bücher.example/acme/edge", "1.0.0")
    provider = reviewed(audit(made, origin(made)))

    for told in (why_provider(provider, WAITING, (), 200), provider_detail(provider, WAITING, (), 200)):
        assert "bücher.example" in told.plain
        assert "xn--bcher-kva.example" in told.plain


def test_problems_and_remarks_come_with_what_to_do() -> None:
    problem = Problem(
        code=ProblemCode.REGISTRY_WARNING,
        severity=Severity.WARNING,
        message="the list is odd",
        hint="tell the registry",
    )
    note = replace(REMARK, severity=Severity.NOTE, message="a note")
    provider = reviewed(audit(EDGE, replace(origin(EDGE), problems=(problem, replace(problem, hint="")))))
    told = why_provider(provider, WAITING, (Remark.of(REMARK), Remark.of(note)), 200).plain

    assert "▲ the list is odd\n  tell the registry" in told
    assert "▲ line 3: something is odd" in told
    assert "· line 3: a note" in told
    assert "About the lock file" in provider_detail(provider, WAITING, (Remark.of(REMARK),), 200).plain


@pytest.mark.parametrize(
    ("answer", "glyph", "word"),
    [
        (origin(EDGE), "✓", ""),
        (absent(MIRROR), looks.DASH, "not there"),
        (silent(MIRROR, "reset"), "?", "no answer"),
        (SourceAnswer(source=DIRECT, outcome=Outcome.NOT_ASKED), "?", "not asked"),
        (
            replace(
                origin(EDGE),
                problems=(
                    Problem(code=ProblemCode.SIGNATURE_BAD, severity=Severity.ERROR, message="", source="direct"),
                ),
            ),
            "✗",
            "bad signature",
        ),
    ],
)
def test_an_answer_has_a_glyph_and_a_word(answer: SourceAnswer, glyph: str, word: str) -> None:
    look, told = looks.of_answer(reviewed(audit(EDGE, answer)), answer)

    assert (look.glyph, told) == (glyph, word)


def test_a_provider_looks_like_the_worst_of_it() -> None:
    review, waiting = review_of(audited()), review_of(begun())
    told = {each.address.type: found.describe_findings(each) for each in review.providers}

    assert found.of_provider(review.provider(EDGE.address)).glyph == "✗"
    assert found.of_provider(waiting.provider(EDGE.address)).glyph == "…"
    assert found.of_provider(review.provider(NULL.address)).glyph == "+"
    assert found.of_provider(review.provider(RANDOM.address)).glyph == "✓"
    assert told["edge"] == "1 disowned, other bytes, 2 new"
    assert told["cloud"] == "1 unchecked, mirror.example.test: no answer"
    assert told["time"] == "7 confirmed"
    assert found.of_provider(next(each for each in review.providers if each.address.type == "cloud")).glyph == "?"


def test_an_entry_without_a_hash_says_so() -> None:
    entry = replace(WORLD.lock_file().providers[0], hashes=())
    bare = review_provider(entry, None, settings=SETTINGS, platforms=frozenset())

    assert found.describe_findings(replace(bare, problems=())) == "no hash"
    assert found.describe_findings(bare) == "no protection"


@pytest.mark.parametrize(
    ("decision", "verdict", "made", "told"),
    [
        (Decision.ADD, Verdict.NEW, True, ("add", Hue.NEW, True)),
        (Decision.DROP, Verdict.DISOWNED, True, ("drop", Hue.BAD, True)),
        (Decision.KEEP, Verdict.CONFIRMED, False, ("keep", Hue.QUIET, False)),
        (Decision.KEEP, Verdict.DISOWNED, True, ("keep", Hue.PLAIN, True)),
        (Decision.UNDECIDED, Verdict.OFFERED, False, (looks.DASH, Hue.QUIET, False)),
        (Decision.UNDECIDED, Verdict.UNEXPLAINED, False, ("undecided", Hue.OPEN, True)),
        (Decision.UNDECIDED, Verdict.NEW, False, ("undecided", Hue.QUIET, False)),
    ],
)
def test_a_decision_stands_out_when_a_person_made_it_or_has_to(
    decision: Decision, verdict: Verdict, made: bool, told: tuple[str, Hue, bool]
) -> None:
    rows = (row for provider in review_of(audited()).providers for row in provider.rows)
    of_it = next(row for row in rows if row.verdict is verdict)
    assert looks.of_decision(decision, of_it, made=made) == told


def of(*addresses: object) -> Review:
    """A review of some of the providers, audited."""
    lock_file = WORLD.lock_file()
    chosen = replace(lock_file, providers=tuple(each for each in lock_file.providers if each.address in addresses))
    review = review_of(session.opened(EMPTY, chosen, SETTINGS))
    for each in WORLD.audits:
        review = review.with_audit(each)
    return review


def test_a_name_gives_up_its_host_before_anything_else() -> None:
    assert fitting_name(RANDOM.address, 40) == "registry.example.test/acme/random"
    assert fitting_name(RANDOM.address, 16) == "…/acme/random"
    assert fitting_name(RANDOM.address, 8) == "…/random"
    assert fitting_name(RELAY.address, 10) == "acme/relay"


def test_the_short_reasons_keep_the_evidence_on_one_line_each() -> None:
    provider = edge()
    told = why_hash(provider, row(provider, PLANTED.text), 60).plain.split("\n")

    assert sum(line.startswith("  SHA256SUMS sha256") for line in told) == 1
    assert any(line.endswith("…") for line in told)
    assert FINGERPRINT[-16:] in "\n".join(told)


def test_the_chain_of_an_oci_mirror_is_told_for_both_hashes_of_the_package() -> None:
    provider = reviewed(through_oci().audits[0])
    way = chain(WIDGET, "linux_amd64")
    steps = (f"{way.repository}:1.4.0", way.index_digest, way.manifest_digest, way.layer_digests[0], CREDENTIALS)
    for hash_ in (WIDGET.zh("linux_amd64"), WIDGET.h1("linux_amd64")):
        short = why_hash(provider, row(provider, hash_.text), 100).plain
        whole = hash_detail(provider, row(provider, hash_.text), Decision.UNDECIDED, 200).plain
        assert f"· {OCI.id} leads to the linux_amd64 package" in short
        assert "Chain at OCI mirror" in whole
        for step in steps:
            assert step in short
            assert step in whole
        assert chain(WIDGET, "darwin_arm64").manifest_digest not in short
        assert f"layer = zh {way.layer_digests[0]}" in short


def test_a_chain_that_ends_early_is_told_of_its_provider() -> None:
    way = replace(chain(WIDGET, "linux_amd64"), platform=None, manifest_digest="", layer_digests=())
    failed = replace(silent(OCI, "is no provider"), chains=(way,))
    told = provider_detail(reviewed(audit(WIDGET, failed)), WAITING, (), 200).plain
    assert way.index_digest in told
    assert "leads to" in told
    whole = provider_detail(reviewed(audit(WIDGET, oci_mirror(WIDGET, listed=["darwin_arm64"]))), WAITING, (), 200)
    assert chain(WIDGET, "darwin_arm64").layer_digests[0] in whole.plain


def test_states_of_signatures_are_told_in_their_own_words() -> None:
    said = origin(EDGE)
    signature = said.signatures[0]
    bad = replace(signature, judgements=(replace(signature.judgements[0], state=SignatureState.BAD),))
    provider = reviewed(audit(EDGE, replace(said, signatures=(bad,))))

    assert "SHA256SUMS: bad signature" in provider_detail(provider, WAITING, (), 200).plain
    assert Platform("linux", "amd64") in {facts.platform for facts in edge().audit.source_answers[0].packages}  # type: ignore[union-attr]
