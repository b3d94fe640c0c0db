"""Clears what only debuggers read in a compiled library: it stays in its place, as zeros, which
take no room in a package. So nothing else moves, and libraries for any processor can be treated."""

import struct
from pathlib import Path

HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQ")
MAGIC = b"\x7fELF\x02\x01"
"""64 bits, the low byte first."""
LOADED = 2
NOTHING = 8


def clear_debugging(library: Path) -> None:
    """Clear the sections called .debug… of an ELF library; others are left as they are."""
    data = bytearray(library.read_bytes())
    if not data.startswith(MAGIC):
        return
    *_, table, _flags, _own, _size, _number, size, count, names = HEADER.unpack_from(data)
    sections = [SECTION.unpack_from(data, table + size * at) for at in range(count)]
    if not sections:
        return
    text = sections[names][4]
    for name, kind, flags, _, start, length in sections:
        isolated = kind != NOTHING and not flags & LOADED
        if isolated and data.startswith(b".debug", text + name):
            data[start : start + length] = bytes(length)
    library.write_bytes(data)
