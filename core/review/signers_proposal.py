"""What `init` proposes of signers beside GPG's, and whose signature over approvals a policy might let count.

All of it stands in comments, since nobody here knows whose keys these are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.hcl.writing import NamedValue, block_text
from lockwarden.core.policy.read import SIGNING_IDENTITY, SIGNING_KEY
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.printable import reveal
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme, Signer

_KEY = (
    "Signed by a key that names itself so. Nothing proves that yet: get the key from its owner, by another way than",
    "the registry, save it under the name below, and take the “#” away.",
)
_IDENTITY = (
    "Signed by an identity that says this of itself. Nothing proves that yet: compare it with what its owner",
    "publishes, save the trusted root that you rely on under the name below, and take the “#” away.",
)
_STATES = frozenset({EvidenceState.NO_KNOWN_KEY, EvidenceState.GOOD, EvidenceState.IDENTITY_MISMATCH})


_INTRODUCTION = (
    "{path} is signed by an SSH key{name}. No policy names it, so that it counts for nothing.",
    "Where you know whose it is, by another way than this repository, take the marks away: then approvals that it",
    "has signed count, also those that come with a change.",
)


def proposed_signers(audits: Iterable[Audit]) -> Iterator[tuple[str, ...]]:
    """Lines of comments, a block for each signer that was seen. None of them trusts anybody."""
    seen: defaultdict[Signer, dict[ProviderAddress, None]] = defaultdict(dict)
    nameless: dict[ProviderAddress, None] = {}
    for audit in audits:
        for answer in audit.source_answers:
            for each in answer.other_signatures:
                if each.state not in _STATES:
                    continue
                if each.signer.name:
                    seen[each.signer][audit.address] = None
                elif each.scheme is SignatureScheme.COSIGN_KEY:
                    nameless[audit.address] = None
    for signer, addresses in sorted(seen.items()):
        yield _proposal(signer, tuple(sorted({str(each) for each in addresses})))
    for address in nameless:
        yield (f"{address} is signed by a cosign key, too, which its signature does not name.",)


def _proposal(signer: Signer, providers: tuple[str, ...]) -> tuple[str, ...]:
    settings: list[NamedValue]
    if signer.fingerprint:
        settings = [
            ("scheme", str(signer.scheme)),
            ("public_key", f"keys/{signer.fingerprint.partition(':')[2][:16]}.pub"),
            ("providers", providers),
        ]
        return (*_KEY, *block_text(SIGNING_KEY, signer.fingerprint, settings).splitlines())
    settings = [("issuer", signer.issuer), ("subject", signer.subject)]
    settings += [("source_repository", signer.source_repository)] if signer.source_repository else []
    settings += [("source_ref", signer.source_ref)] if signer.source_ref else []
    settings += [("trusted_root", "trusted-root.json"), ("providers", providers)]
    label = signer.subject.rpartition("/")[2][:64] or "release"
    return (*_IDENTITY, *block_text(SIGNING_IDENTITY, label, settings).splitlines())


def signer_proposal(approvals: Approvals, verdicts: Iterable[DocumentVerdict | None]) -> bytes:
    """A rule for each SSH key that has signed approvals and that nobody names, every line of it a comment.

    Where a signature is not good, or its key does not stand in it, there is nothing to propose.
    """
    parts: list[str] = []
    for signer in dict.fromkeys(each.signer for each in verdicts if each is not None and _is_unnamed(each)):
        name = f", under the name {approvals.signer}" if approvals.signer else ""
        settings: list[NamedValue] = [("scheme", str(SignatureScheme.SSHSIG))]
        settings += [("owner", reveal(approvals.signer))] if approvals.signer else []
        addresses = {each.address.sort_key: str(each.address) for each in approvals.records}
        settings.append(("providers", tuple(addresses[key] for key in sorted(addresses)) or ("*/*/*",)))
        introduction = [line.format(path=approvals.path, name=name) for line in _INTRODUCTION]
        block = block_text(SIGNING_KEY, signer, settings).splitlines()
        parts.append("".join(f"# {reveal(line)}".rstrip() + "\n" for line in (*introduction, "", *block)))
    return "\n".join(parts).encode("utf-8", "replace")


def _is_unnamed(verdict: DocumentVerdict) -> bool:
    return verdict.scheme is SignatureScheme.SSHSIG and verdict.state is EvidenceState.NO_KNOWN_KEY
