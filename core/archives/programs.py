"""What runs a program, by its first bytes: enough to tell the packages of two platforms apart, and never more."""

from __future__ import annotations

import struct
from typing import Final

HEAD: Final = 1024
"""Bytes of a program that are looked at."""
_ELF: Final = b"\x7fELF"
_ELF_MACHINES: Final = {0x03: "386", 0x28: "arm", 0x3E: "x86-64", 0xB7: "aarch64", 0xF3: "riscv", 0x15: "ppc64"}
_ELF_SYSTEMS: Final = {9: " for FreeBSD", 6: " for Solaris", 12: " for OpenBSD", 2: " for NetBSD"}
_MACH_O: Final = frozenset({0xFEEDFACE, 0xFEEDFACF})
_MACH_O_MACHINES: Final = {0x01000007: "x86-64", 0x0100000C: "arm64", 0x07: "386"}
_PE_MACHINES: Final = {0x014C: "386", 0x8664: "x86-64", 0xAA64: "arm64", 0x01C4: "arm"}
_PE_OFFSET: Final = 0x3C
_UNKNOWN: Final = "unknown machine"


def program_kind(head: bytes) -> str:
    """Its format and machine, such as `ELF x86-64`; `no known program` for anything else."""
    if head.startswith(_ELF) and len(head) >= 20:
        order = ">" if head[5] == 2 else "<"
        (machine,) = struct.unpack_from(f"{order}H", head, 18)
        return f"ELF {_ELF_MACHINES.get(machine, _UNKNOWN)}{_ELF_SYSTEMS.get(head[7], '')}"
    if len(head) >= 8:
        magic, machine = struct.unpack_from("<2I", head)
        if magic in _MACH_O:
            return f"Mach-O {_MACH_O_MACHINES.get(machine, _UNKNOWN)}"
    if head.startswith(b"MZ") and len(head) >= _PE_OFFSET + 4:
        (at,) = struct.unpack_from("<I", head, _PE_OFFSET)
        if head[at : at + 4] == b"PE\0\0" and len(head) >= at + 6:
            (machine,) = struct.unpack_from("<H", head, at + 4)
            return f"PE {_PE_MACHINES.get(machine, _UNKNOWN)}"
    return "no known program"
