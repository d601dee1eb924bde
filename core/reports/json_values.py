"""The smaller values of the JSON report: problems, keys, observations, findings. Full values, in a stable order."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, assert_never

import msgspec

from lockwarden.core.coverage.chain import ChainVerdict
from lockwarden.core.coverage.outcomes import Coverage
from lockwarden.core.evidence.observations import (
    ComputedLocally,
    Document,
    ListedByMirror,
    Observation,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.source_answers import (
    DocumentSignature,
    HashList,
    OciChain,
    PackageFacts,
    Problem,
    SourceAnswer,
    SourceRef,
)
from lockwarden.core.reports.result import FileProblem
from lockwarden.core.review.chains import layers_of
from lockwarden.core.review.key_use import KeyUse, Signing, UnknownIssuer
from lockwarden.core.review.trusted_keys import Trust
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

Json = dict[str, Any]


def json_text(document: Json) -> str:
    """A whole document, indented, with a line feed at the end.

    It is ASCII, so that no character of a hostile text reaches a terminal as it is; `json` would leave DEL alone.
    Nor is there anything that the log of a CI job takes for a command: `##` can only be in a string, and no string
    begins a line.
    """
    text = json.dumps(document, ensure_ascii=True)
    try:
        text = msgspec.json.format(text, indent=2)
    except msgspec.DecodeError:  # half a surrogate pair, which JSON can escape and msgspec does not know
        indented = io.StringIO()
        json.dump(document, indented, indent=2, ensure_ascii=True)
        text = indented.getvalue()
    return text.replace("\x7f", "\\u007f").replace("##", "#\\u0023") + "\n"


def source_json(source: SourceRef) -> Json:
    """One source of the run."""
    return {"id": source.id, "kind": source.kind.value, "location": source.location}


def problem_json(problem: Problem | FileProblem) -> Json:
    """One problem; `line` is that of the lock file and null where no line is to blame, `source` may be empty."""
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": problem.message,
        "hint": problem.hint,
        "source": problem.source if isinstance(problem, Problem) else "",
        "line": problem.line if isinstance(problem, FileProblem) else None,
    }


def key_json(use: KeyUse, trusted: Trust = None) -> Json:
    """One signing key; `trusted` is the rule of the policy, false when it names other keys, null when it names none."""
    key = use.key
    return {
        "fingerprint": key.fingerprint,
        "key_id": key.key_id,
        "user_ids": list(key.user_ids),
        "algorithm": key.algorithm,
        "created": time_json(key.created),
        "expires": time_json(key.expires),
        "state": key.state.value,
        "trusted": trusted,
        "signing_subkeys": list(key.signing_subkeys),
        "signed_hashes": hashes_json(use.signed_hashes),
    }


def signing_json(signing: Signing) -> Json:
    """One document that a key was offered for, and what came of it."""
    return {
        "address": str(signing.address),
        "version": str(signing.version),
        "source": signing.source,
        "document": signing.document,
        "state": signing.state.value,
        "signing_fingerprint": signing.signing_fingerprint,
        "signed_at": time_json(signing.signed_at),
        "valid_when_signed": signing.valid_when_signed,
        "detail": signing.detail,
        "signed_hashes": hashes_json(signing.hashes),
    }


def stranger_json(unknown_issuer: UnknownIssuer) -> Json:
    """One document whose maker is among none of the keys that were offered for it."""
    return {
        "address": str(unknown_issuer.address),
        "version": str(unknown_issuer.version),
        "source": unknown_issuer.source,
        "document": unknown_issuer.document,
        "issuers": list(unknown_issuer.issuers),
        "offered": list(unknown_issuer.offered),
    }


def observation_json(observation: Observation) -> Json:
    """One observation with its evidence; `vouches` says whether it counts by itself."""
    head: Json = {"kind": observation.kind.value, "source": observation.source}
    tail: Json = {
        "platform": platform_json(observation.platform),
        "vouches": observation.vouches,
        "refused": observation.refused,
    }
    match observation:
        case SignedBy():
            return head | _signed_json(observation) | tail
        case ReportedByRegistry():
            own = {"shape": observation.shape.value, "line": observation.line, "file_name": observation.file_name}
            return head | {"document": document_json(observation.document)} | own | tail
        case ReportedByTrustedMirror() | ListedByMirror():
            return head | {"document": document_json(observation.document)} | tail
        case ComputedLocally():
            zh = observation.package_zh
            own = {"basis": observation.basis.value, "location": observation.location, "package_zh": hash_json(zh)}
            return head | own | {"computed_on": time_json(observation.computed_on)} | tail
        case _:
            assert_never(observation)


def _signed_json(observation: SignedBy) -> Json:
    return {
        "scheme": observation.scheme,
        "document": document_json(observation.document),
        "line": observation.line,
        "file_name": observation.file_name,
        "fingerprint": observation.fingerprint,
        "signing_fingerprint": observation.signing_fingerprint,
        "state": observation.state.value,
        "valid_when_signed": observation.valid_when_signed,
        "signed_at": time_json(observation.signed_at),
    }


def finding_json(answer: SourceAnswer) -> Json:
    """What one source said of one provider version, beyond the hashes."""
    return {
        "source": answer.source.id,
        "outcome": answer.outcome.value,
        "detail": answer.detail,
        "platforms": None if answer.platforms is None else platforms_json(answer.platforms),
        "packages": [_package_json(package) for package in answer.packages],
        "lists": [_list_json(each) for each in answer.lists],
        "signatures": [_signature_json(each) for each in answer.signatures],
        "chains": [_chain_json(answer, each) for each in answer.chains],
        "token_hosts": list(answer.token_hosts),
    }


def chain_json(verdict: ChainVerdict) -> Json:
    """What `init` meets on one platform with all configured methods."""
    return {
        "platform": str(verdict.platform),
        "source": verdict.source or None,
        "standing": verdict.standing.value,
        "outcome": verdict.word,
        "reason": verdict.reason,
        "remedy": verdict.remedy,
    }


def coverage_json(coverage: Coverage) -> Json:
    """One platform and one source; `runtime` and `expected` are null where there is nothing to say."""
    return {
        "platform": str(coverage.platform),
        "source": coverage.source,
        "outcome": coverage.outcome.value,
        "runtime": None if coverage.runtime is None else coverage.runtime.value,
        "expected": None if coverage.expected is None else coverage.expected.value,
        "completing_h1": hash_json(coverage.completing_h1),
        "reason": coverage.reason,
        "remedy": coverage.remedy,
    }


def _package_json(package: PackageFacts) -> Json:
    return {
        "platform": str(package.platform),
        "outcome": package.outcome.value,
        "location": package.location,
        "basis": package.basis.value,
        "size": package.size,
        "zh": hash_json(package.zh),
        "h1_archive": hash_json(package.h1_archive),
        "h1_directory": hash_json(package.h1_directory),
        "client_refusal": package.client_refusal,
        "detail": package.detail,
    }


def _list_json(hash_list: HashList) -> Json:
    return {
        "scheme": hash_list.scheme,
        "hashes": len(hash_list.hashes),
        "complete": hash_list.complete,
        "authenticated": hash_list.authenticated,
        "signed_by_fingerprints": sorted(hash_list.signers),
        "documents": [document_json(document) for document in hash_list.documents],
    }


def _chain_json(answer: SourceAnswer, chain: OciChain) -> Json:
    return {
        "repository": chain.repository,
        "tag": chain.tag,
        "index_digest": chain.index_digest,
        "platform": platform_json(chain.platform),
        "manifest_digest": chain.manifest_digest,
        "layers": [{"digest": each.digest, "zh": hash_json(each.zh)} for each in layers_of(answer, chain)],
        "credentials": chain.credentials,
    }


def _signature_json(signature: DocumentSignature) -> Json:
    return {
        "document": document_json(signature.document),
        "issuers": list(signature.issuers),
        "keys": [
            {
                "position": judgement.position,
                "state": judgement.state.value,
                "fingerprint": judgement.fingerprint,
                "signing_fingerprint": judgement.signing_fingerprint,
                "signed_at": time_json(judgement.signed_at),
                "valid_when_signed": judgement.valid_when_signed,
                "detail": judgement.detail,
            }
            for judgement in signature.judgements
        ],
        "client": {
            "conclusion": signature.conclusion.kind.value,
            "key_id": signature.conclusion.key_id,
            "expired": signature.conclusion.expired,
            "reason": signature.conclusion.reason,
        },
    }


def document_json(document: Document) -> Json:
    """A document that a source answered with."""
    return {"name": document.name, "url": document.url, "sha256": document.sha256}


def time_json(time: datetime | None) -> str | None:
    """A time in UTC to the second, as RFC 3339 has it."""
    return None if time is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def hash_json(hash_: Hash | None) -> str | None:
    """A hash in full."""
    return None if hash_ is None else hash_.text


def hashes_json(hashes: Iterable[Hash]) -> list[str]:
    """Hashes in full, in byte order."""
    return sorted(hash_.text for hash_ in hashes)


def platform_json(platform: Platform | None) -> str | None:
    """A platform as `OS_ARCH`."""
    return None if platform is None else str(platform)


def platforms_json(platforms: Iterable[Platform]) -> list[str]:
    """Platforms in the order of their names."""
    return sorted(str(platform) for platform in platforms)
