"""Proposes whose signature over approvals a policy might let count: as a comment, since nobody said whose key it is."""

from __future__ import annotations

from collections.abc import Iterable

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.hcl.writing import NamedValue, block_text
from lockwarden.core.policy.read import SIGNING_KEY
from lockwarden.core.review.signed_approvals import DocumentVerdict
from lockwarden.core.values.printable import reveal
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme

_INTRODUCTION = (
    "{path} is signed by an SSH key{name}. No policy names it, so that it counts for nothing.",
    "Where you know whose it is, by another way than this repository, take the marks away: then approvals that it",
    "has signed count, also those that come with a change.",
)


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
