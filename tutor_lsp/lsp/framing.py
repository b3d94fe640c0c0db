"""Where one message ends and the next begins: headers as HTTP reads them, JSON by its standard.

Pure: bytes go in, messages and faults come out, in whatever pieces the bytes arrive. This is
loaded before the first answer, so it imports neither typing nor dataclasses.
"""

import json
import re
from collections.abc import Iterator

MOST_HEADER_BYTES = 64 * 1024
"""Bytes that a block of headers may have; a line that long is no header."""
MOST_BODY_BYTES = 256 * 1024 * 1024
"""Bytes that a message may have."""
_LENGTH = re.compile(rb"(?<!-)content-length[ \t]*:[ \t]*(.*?)[ \t]*$", re.IGNORECASE)
_HEADER = re.compile(rb"content-length[ \t]*:[ \t]*\d+[ \t]*\r?\n\r?\n", re.IGNORECASE)
_CHARSET = re.compile(rb"content-type[ \t]*:.*charset[ \t]*=[ \t]*\"?([\w-]+)", re.IGNORECASE)
_FOLD = re.compile(rb"\r?\n[ \t]+")
_BLOCK_END = re.compile(rb"\r?\n\r?\n")
_CHARSETS = frozenset({b"utf-8", b"utf8"})


class Fault:
    """Something that is not a message. After one that `ends`, nothing more can be read."""

    __slots__ = ("ends", "why")

    def __init__(self, why: str, *, ends: bool = False) -> None:
        self.why = why
        self.ends = ends

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fault) and (self.why, self.ends) == (other.why, other.ends)


class Message:
    """Any JSON value."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.value == other.value


class Framing:
    """Takes a stream of bytes apart.

    Names of headers may have any case, the blank after the colon is optional, other headers and
    their order do not matter, lines may end with a bare line feed. What is no header is skipped up
    to the next Content-Length, and a body that is followed by something else gives that back, so
    that one wrong message costs no later one where that can be helped.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._ended = False

    @property
    def amid(self) -> bool:
        """Whether a message has begun and not ended."""
        return self._length is not None or bool(self._buffer.strip())

    def feed(self, data: bytes) -> Iterator[Message | Fault]:
        """What is whole with these bytes; at most one fault for each block of headers or body."""
        self._buffer += data
        while not self._ended:
            found = self._next()
            if found is None:
                return
            if isinstance(found, Fault) and found.ends:
                self._ended = True
            yield found

    def _next(self) -> Message | Fault | None:
        if self._length is None:
            fault = self._headers()
            if fault is not None:
                return fault
        if self._length is None or len(self._buffer) < self._length:
            return None
        body = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        self._length = None
        return self._body(body)

    def _headers(self) -> Fault | None:
        """Read a block of headers if there is a whole one; a fault if it says no length."""
        while (end := _BLOCK_END.search(self._buffer)) is not None:
            block = bytes(self._buffer[: end.start()])
            del self._buffer[: end.end()]
            if not block.strip():
                continue
            found = _length_of(block)
            if isinstance(found, Fault):
                return found
            self._length = found
            return None
        if len(self._buffer) > MOST_HEADER_BYTES:
            return Fault("The header Content-Length is missing.", ends=True)
        return None

    def _body(self, body: bytes) -> Message | Fault:
        try:
            return Message(_parsed(body.decode("utf-8")))
        except UnicodeDecodeError as error:
            fault = Fault(f"The message is not UTF-8 (byte {error.start}).")
        except json.JSONDecodeError as error:
            if error.msg == "Extra data":
                # Content-Length is too large: the rest belongs to the next message.
                self._buffer[:0] = body.decode("utf-8")[error.pos :].encode("utf-8")
                return _no_json(error)
            fault = _no_json(error)
        except (ValueError, RecursionError) as error:
            fault = Fault(f"The message is not JSON: {error}.")
        self._buffer[:0] = _next_message(body)
        return fault


def _next_message(body: bytes) -> bytes:
    """The part of an invalid body that belongs to the next message, whose header may be cut."""
    # JSON strings cannot contain line breaks, so this is a header.
    header = _HEADER.search(body)
    if header is not None:
        return body[header.start() :]
    rest = body.rpartition(b"}")[2]
    name = b"content-length"
    return rest if rest and rest[: len(name)].lower() == name[: len(rest)] else b""


def _no_json(error: json.JSONDecodeError) -> Fault:
    return Fault(f"The message is not JSON: {error.msg} (character {error.pos}).")


def _parsed(text: str) -> object:
    found: object = json.loads(text, parse_constant=_no_number)
    return found


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not a number")


def _length_of(block: bytes) -> int | Fault:
    """The length that a block of headers states, once or repeatedly."""
    lengths: set[bytes] = set()
    for line in _FOLD.sub(b" ", block).splitlines():
        charset = _CHARSET.match(line)
        if charset is not None and charset[1].lower() not in _CHARSETS:
            return Fault(f"Messages must be UTF-8, not {charset[1].decode('ascii')}.")
        # What is before it in the line is left over from a message whose length was wrong.
        length = _LENGTH.search(line)
        if length is not None:
            lengths.update(part.strip() for part in length[1].split(b","))
    if not lengths:
        return Fault("The header Content-Length is missing.")
    said = lengths.pop()
    if lengths or not said.isdigit():
        return Fault("Content-Length must be one number of bytes, 0 or more.")
    if len(said) > 18 or int(said) > MOST_BODY_BYTES:
        return Fault(f"A message may have at most {MOST_BODY_BYTES} bytes.", ends=True)
    return int(said)
