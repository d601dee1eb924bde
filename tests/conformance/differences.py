"""The one table of what Lockwarden deliberately says differently from the clients, each difference with its reason.

A difference stands for every run that it names, and the tests hold every run to exactly what the table says of it: a
run that is not in the table has to say what the client did, and one that is has to say what the table has.
"""

from __future__ import annotations

from typing import Final

from conformance.deviations import Area, Aspect, Difference
from conformance.recordings import OPENTOFU_REGISTRY

from lockwarden.core.values.clients import Client

_TOFU: Final = (Client.OPENTOFU,)
_TERRAFORM: Final = (Client.TERRAFORM,)
_PACKAGES: Final = ("darwin_arm64", "linux_amd64", "windows_amd64")
_ALL: Final = ", ".join(f"{platform} {scheme} confirmed" for platform in _PACKAGES for scheme in ("h1", "zh"))
_ALL_BUT_LINUX: Final = ", ".join(
    f"{platform} {scheme} confirmed" for platform in ("darwin_arm64", "windows_amd64") for scheme in ("h1", "zh")
)
_PLAIN_INIT: Final = ("example.test/acme/plain init", "example.test/acme/plain init -upgrade")
_PACKAGES_INIT: Final = (
    "registry.opentofu.org/acme/packages init",
    "registry.opentofu.org/acme/packages init -upgrade",
)
_MANIFEST: Final = "zh:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
_EVERY_STAGE: Final = (
    "versions",
    "metadata",
    "sums",
    "signature",
    "package",
    "index",
    "archives",
    "mirrorpackage",
)
_FILLS_UP: Final = "what lock writes is what providers lock writes, which fills up silently; init holds on to the file"
_ALL_ZH: Final = ", ".join(f"{platform} zh confirmed" for platform in _PACKAGES)

DIFFERENCES: Final[tuple[Difference, ...]] = (
    # --- the origin registry ---------------------------------------------------------------------------------------
    Difference(
        area=Area.REGISTRY,
        cases=("packages-lying",),
        clients=_TOFU,
        names=(OPENTOFU_REGISTRY, f"{OPENTOFU_REGISTRY} init"),
        aspect=Aspect.HASHES,
        says="fewer: h1:G3DG+rhLobrcXB81GE/U6LCUGBX+D85idS0tEg8o2XY=, h1:Y5n7M2NNPHCQJYYDdz8HmX4HNtzq5wlpd+g2XpOno1A=, "
        "h1:bkKyNaQmxqsUmtGx9a48CJRAlXXEXUdphjADRljPCWM=",
        reason="the registry's h1 is compared with the package; OpenTofu records the lie",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("packages-lying",),
        clients=_TOFU,
        names=(OPENTOFU_REGISTRY, f"{OPENTOFU_REGISTRY} init"),
        aspect=Aspect.VERDICTS,
        says="h1:G3DG+rhLobrcXB81GE/U6LCUGBX+D85idS0tEg8o2XY= unexplained, "
        "h1:Y5n7M2NNPHCQJYYDdz8HmX4HNtzq5wlpd+g2XpOno1A= unexplained, "
        "h1:bkKyNaQmxqsUmtGx9a48CJRAlXXEXUdphjADRljPCWM= unexplained",
        reason="every package was hashed and none has these h1; an unsigned report is no evidence against that",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("packages-size", "packages-zero", "packages-partial"),
        clients=_TOFU,
        aspect=Aspect.VERDICTS,
        says=_ALL,
        reason="the signed list and the packages agree; only the unsigned “packages” object is wrong, a problem",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("both-sign",),
        clients=_TOFU,
        names=("example.test", OPENTOFU_REGISTRY),
        aspect=Aspect.KEYS,
        says="060AE039A0D79F64, 2AD1437E00B8BB00",
        reason="every offered key is judged; the clients stop at the first that they accept",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("both-sign",),
        clients=_TERRAFORM,
        aspect=Aspect.KEYS,
        says="060AE039A0D79F64, 2AD1437E00B8BB00",
        reason="every offered key is judged; Terraform knows no expiry and stops at the first that fits",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("undecodable-first",),
        aspect=Aspect.VERDICTS,
        says=_ALL,
        reason="the key behind the garbage made the signature; that the clients give up at garbage is a problem",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-star",),
        aspect=Aspect.VERDICTS,
        says=_ALL,
        reason="a binary marker is read, as sha256sum does; that the clients find no such file is a problem",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-blank-middle", "sums-blank-end"),
        aspect=Aspect.VERDICTS,
        says=_ALL,
        reason="an empty line says nothing and is passed over; both clients crash on it",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-comment", "sums-long-hash"),
        aspect=Aspect.HASHES,
        says="more: darwin_arm64 zh, windows_amd64 zh",
        reason="a line that lists nothing does not silence the others, which are signed; the clients drop them all",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-comment", "sums-long-hash"),
        clients=_TOFU,
        aspect=Aspect.SUMMARY,
        says="signed",
        reason="the signature is good and its list is read; OpenTofu loses the signature together with the list",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-comment", "sums-long-hash"),
        clients=_TOFU,
        aspect=Aspect.KEYS,
        says="060AE039A0D79F64",
        reason="the signature is good and its list is read; OpenTofu loses the signature together with the list",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-missing",),
        aspect=Aspect.VERDICTS,
        says=_ALL_BUT_LINUX,
        reason="the other platforms' packages are listed and signed; the client only asked for the one that is not",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-other-provider",),
        aspect=Aspect.HASHES,
        says=f"fewer: zh:{'cd' * 32}",
        reason="a line for another provider's package says nothing of this one; the clients look at no name but one",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-other-provider",),
        aspect=Aspect.VERDICTS,
        says=f"zh:{'cd' * 32} disowned",
        reason="the lock file would accept another provider's package in this one's place",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-twice-right-first",),
        aspect=Aspect.HASHES,
        says=f"fewer: linux_amd64 h1, linux_amd64 zh, zh:{'ab' * 32}",
        reason="a list that gives one file two hashes contradicts itself: neither counts, and a person has to look",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-twice-right-first",),
        aspect=Aspect.VERDICTS,
        says=f"linux_amd64 h1 unchecked, linux_amd64 zh unexplained, zh:{'ab' * 32} unexplained",
        reason="a list that gives one file two hashes contradicts itself: neither counts, and a person has to look",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("sums-twice-wrong-first",),
        aspect=Aspect.VERDICTS,
        says=_ALL_BUT_LINUX,
        reason="the contradiction is about one file; the other platforms' lines are signed and their packages match",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("shasum-differs", "bytes-differ"),
        aspect=Aspect.VERDICTS,
        says=_ALL_ZH,
        reason="the signed list holds these zh, whatever the server gives out now; no package was had, so no h1 counts",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("filename-url",),
        aspect=Aspect.VERDICTS,
        says=_ALL,
        reason="the signed list has the package under its usual name; that the answer has another is a problem",
    ),
    Difference(
        area=Area.REGISTRY,
        cases=("protocol-4",),
        aspect=Aspect.VERDICTS,
        says=_ALL,
        reason="the release is signed and its packages match; that no client can talk to it is a problem of its own",
    ),
    # --- network mirrors -------------------------------------------------------------------------------------------
    Difference(
        area=Area.NETWORK_MIRROR,
        cases=("both", "zh-only", "h1-only", "good-zh-bad-h1", "bad-zh-good-h1", "swapped"),
        clients=_TOFU,
        names=("example.test init trust_all_hashes", f"{OPENTOFU_REGISTRY} init trust_all_hashes"),
        aspect=Aspect.SUMMARY,
        says="verified checksum",
        reason="the word of providers lock; init says that signing was skipped of every trusted mirror",
    ),
    Difference(
        area=Area.NETWORK_MIRROR,
        cases=("swapped",),
        clients=_TOFU,
        names=(f"{OPENTOFU_REGISTRY} init trust_all_hashes",),
        aspect=Aspect.HASHES,
        says="fewer: windows_amd64 h1, windows_amd64 zh",
        reason="the mirror lists these for linux_amd64, whose package has others; each hash is judged on its own",
    ),
    # --- filesystem mirrors ----------------------------------------------------------------------------------------
    Difference(
        area=Area.FILESYSTEM,
        cases=("filesystem packed init", "fs-packed lock"),
        clients=_TOFU,
        aspect=Aspect.HASHES,
        says="more: linux_amd64 zh",
        reason="the archive's zh was computed here as its h1 was; OpenTofu's design records it, its code does not",
    ),
    # --- existing lock files ---------------------------------------------------------------------------------------
    Difference(
        area=Area.RELOCK,
        cases=("other platform h1", "other platform both"),
        names=(*_PLAIN_INIT, *_PACKAGES_INIT),
        aspect=Aspect.REFUSAL,
        says="installed",
        reason="init refuses because of the lock file, not because of the package; that is a matter of coverage",
    ),
    Difference(
        area=Area.RELOCK,
        cases=("other platform h1",),
        names=_PLAIN_INIT,
        aspect=Aspect.HASHES,
        says=f"more: darwin_arm64 zh, linux_amd64 h1, linux_amd64 zh, windows_amd64 zh, {_MANIFEST}",
        reason=_FILLS_UP,
    ),
    Difference(
        area=Area.RELOCK,
        cases=("other platform h1",),
        clients=_TOFU,
        names=_PACKAGES_INIT,
        aspect=Aspect.HASHES,
        says="more: darwin_arm64 h1, darwin_arm64 zh, linux_amd64 h1, linux_amd64 zh, windows_amd64 zh",
        reason=_FILLS_UP,
    ),
    Difference(
        area=Area.RELOCK,
        cases=("other platform h1",),
        clients=_TERRAFORM,
        names=_PACKAGES_INIT,
        aspect=Aspect.HASHES,
        says="more: darwin_arm64 zh, linux_amd64 h1, linux_amd64 zh, windows_amd64 zh",
        reason=_FILLS_UP,
    ),
    Difference(
        area=Area.RELOCK,
        cases=("other platform both",),
        names=_PLAIN_INIT,
        aspect=Aspect.HASHES,
        says=f"more: darwin_arm64 zh, linux_amd64 h1, linux_amd64 zh, {_MANIFEST}",
        reason=_FILLS_UP,
    ),
    Difference(
        area=Area.RELOCK,
        cases=("other platform both",),
        clients=_TOFU,
        names=_PACKAGES_INIT,
        aspect=Aspect.HASHES,
        says="more: darwin_arm64 h1, darwin_arm64 zh, linux_amd64 h1, linux_amd64 zh",
        reason=_FILLS_UP,
    ),
    Difference(
        area=Area.RELOCK,
        cases=("other platform both",),
        clients=_TERRAFORM,
        names=_PACKAGES_INIT,
        aspect=Aspect.HASHES,
        says="more: darwin_arm64 zh, linux_amd64 h1, linux_amd64 zh",
        reason=_FILLS_UP,
    ),
    Difference(
        area=Area.RELOCK,
        cases=("unknown scheme",),
        names=(*_PLAIN_INIT, *_PACKAGES_INIT),
        aspect=Aspect.HASHES,
        says="more: h9:abc",
        reason="what is not known is kept until a person drops it, as providers lock does; init drops it silently",
    ),
    # --- servers that misbehave ------------------------------------------------------------------------------------
    Difference(
        area=Area.FAULTS,
        cases=_EVERY_STAGE,
        clients=_TOFU,
        names=("redirecthttp",),
        aspect=Aspect.REFUSAL,
        says="refused",
        reason="https is never left for plain http, where anybody on the way can read and change what comes",
    ),
    Difference(
        area=Area.FAULTS,
        cases=_EVERY_STAGE,
        clients=_TOFU,
        names=("redirecthttp",),
        aspect=Aspect.HASHES,
        says="nothing",
        reason="https is never left for plain http, where anybody on the way can read and change what comes",
    ),
    Difference(
        area=Area.FAULTS,
        cases=_EVERY_STAGE,
        clients=_TOFU,
        names=("redirecthttp",),
        aspect=Aspect.REQUESTS,
        says="1",
        reason="the redirect to plain http is not followed",
    ),
    Difference(
        area=Area.FAULTS,
        cases=("versions", "metadata", "index", "archives"),
        clients=_TOFU,
        names=("redirecthttp",),
        aspect=Aspect.TOKENS,
        says="https://localhost",
        reason="a token goes over https only; OpenTofu sends it in clear text after the redirect",
    ),
    Difference(
        area=Area.FAULTS,
        cases=("versions", "metadata", "sums", "signature"),
        clients=_TOFU,
        names=("truncated",),
        aspect=Aspect.REQUESTS,
        says="2",
        reason="an answer that breaks off is asked for again, as one that does not begin; the client gives up",
    ),
    Difference(
        area=Area.FAULTS,
        cases=("package", "mirrorpackage"),
        clients=_TOFU,
        names=("truncated",),
        aspect=Aspect.REQUESTS,
        says="3",
        reason="a package that breaks off is asked for again, as one that does not begin; the client gives up",
    ),
    Difference(
        area=Area.FAULTS,
        cases=("metadata", "sums", "signature"),
        clients=_TOFU,
        names=("reset",),
        aspect=Aspect.REQUESTS,
        says="2",
        reason="the client's library asks once more by itself where a connection that was kept open breaks",
    ),
    Difference(
        area=Area.FAULTS,
        cases=("archives",),
        clients=_TOFU,
        names=("reset",),
        aspect=Aspect.REQUESTS,
        says="1",
        reason="the client's library asks once more by itself where a connection that was kept open breaks",
    ),
)
