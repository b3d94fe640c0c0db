"""What an ELF object defines and needs: enough of the format to look at names and sections."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MAGIC: Final = b"\x7fELF"
_SYMTAB = 2
_ALLOCATED = 0x2
_LOCAL = 0
_IFUNC = 10
_UNDEFINED = 0


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named symbol; `defined` holds for common ones too. `indirect`: resolved by a function."""

    name: str
    defined: bool
    local: bool
    indirect: bool


@dataclass(frozen=True, slots=True)
class Object:
    """An object: its symbols, and name and size of the sections that are loaded with a program."""

    symbols: tuple[Symbol, ...]
    sections: tuple[tuple[str, int], ...]
    pointer: int

    def names(self, *, defined: bool) -> frozenset[str]:
        """The names that it gives to others, or needs from them."""
        return frozenset(
            each.name for each in self.symbols if each.defined is defined and not each.local
        )


def object_at(path: Path) -> Object | None:
    """The object of a file, or None for one that is unreadable. Blocks."""
    try:
        return read_object(path.read_bytes())
    except (OSError, struct.error, IndexError, ValueError):
        return None


def read_object(data: bytes) -> Object | None:
    """The object, or None for what is no ELF file. Raises struct.error or IndexError if cut off."""
    if data[:4] != _MAGIC:
        return None
    wide, order = data[4] == 2, "<" if data[5] == 1 else ">"
    start, size, count, names = _header(data, wide, order)
    heads = [_section(data, start + each * size, wide, order) for each in range(count)]
    texts = heads[names]
    sections = tuple(
        (_text(data, texts[3] + head[0]), head[4]) for head in heads if head[2] & _ALLOCATED
    )
    symbols: list[Symbol] = []
    for head in heads:
        if head[1] == _SYMTAB:
            symbols += _symbols(data, head, heads[head[5]][3], wide, order)
    return Object(tuple(symbols), sections, 8 if wide else 4)


def _header(data: bytes, wide: bool, order: str) -> tuple[int, int, int, int]:
    (start,) = struct.unpack_from(order + ("Q" if wide else "I"), data, 0x28 if wide else 0x20)
    size, count, names = struct.unpack_from(order + "HHH", data, 0x3A if wide else 0x2E)
    return start, size, count, names


def _section(data: bytes, at: int, wide: bool, order: str) -> tuple[int, int, int, int, int, int]:
    """Name, type, flags, offset, size, link."""
    layout = "IIQQQQI" if wide else "IIIIIII"
    name, kind, flags, _, offset, size, link = struct.unpack_from(order + layout, data, at)
    return name, kind, flags, offset, size, link


def _symbols(
    data: bytes, head: tuple[int, ...], texts: int, wide: bool, order: str
) -> list[Symbol]:
    layout = struct.Struct(order + ("IBBHQQ" if wide else "IIIBBH"))
    found = []
    for at in range(head[3], head[3] + head[4], layout.size):
        fields = layout.unpack_from(data, at)
        name, info, where = (
            (fields[0], fields[1], fields[3]) if wide else (fields[0], fields[3], fields[5])
        )
        text = _text(data, texts + name)
        if text:
            local, kind = info >> 4 == _LOCAL, info & 0xF
            found.append(Symbol(text, where != _UNDEFINED, local, kind == _IFUNC))
    return found


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode("utf-8", "replace")
