"""What builds made, kept in memory: a folder with the same texts need not build it again."""

from collections import OrderedDict

ROOM_BYTES = 48 * 1024 * 1024
LARGEST = 8 * 1024 * 1024
"""Files over this many bytes are built again."""


class BuildCache:
    """Files by a key that names all that they are made of; the ones unused for longest go first.

    Kept here and not on disk, so that nothing which runs can change them. Not thread-safe: use from
    the loop's thread.
    """

    def __init__(self, room: int = ROOM_BYTES) -> None:
        """`room` is in bytes."""
        self._room = room
        self._size = 0
        self._files: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """The file of a key, if it is still here."""
        data = self._files.get(key)
        if data is not None:
            self._files.move_to_end(key)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep a file, unless it is large."""
        if len(data) > LARGEST:
            return
        self._size += len(data) - len(self._files.pop(key, b""))
        self._files[key] = data
        while self._size > self._room:
            _, oldest = self._files.popitem(last=False)
            self._size -= len(oldest)
