"""Open documents by path, whatever form of URI the client uses."""

from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.files.uris import real_path, uri_to_path


@dataclass(slots=True)
class Document:
    """An open document. `text` is exactly what the client sent, `real` where the path led then."""

    uri: str
    path: Path
    real: Path
    text: str
    version: int | None


def uri_path(uri: str) -> Path | None:
    """The path of a file URI in any of the forms that editors send, None for other schemes."""
    return None if uri.startswith("/") else uri_to_path(uri)


class Documents:
    """The open documents of one client. Paths are compared after resolving links; `revision` grows
    with every change.
    """

    def __init__(self) -> None:
        self._by_path: dict[Path, Document] = {}
        self._by_uri: dict[str, Path] = {}
        self.last_used: Path | None = None
        self.revision = 0

    def opened(self, uri: str, text: str, version: int | None) -> Document | None:
        """Register an open document; None if it is not a file."""
        path = uri_path(uri)
        if path is None:
            return None
        key = real_path(path)
        document = Document(uri, path, key, text, version)
        self._by_path.pop(key, None)
        self._by_path[key] = document
        self._by_uri[uri] = key
        self.revision += 1
        return document

    def changed(self, uri: str, text: str, version: int | None) -> Document | None:
        """The new full text of an open document; None if it is not open, or a newer one is known:
        some editors send changes out of order (Helix 25.01, each from a task of its own).
        """
        document = self.of_uri(uri)
        if document is None or _older(version, document.version):
            return None
        document.text, document.version = text, version
        self.revision += 1
        key = self._by_uri[uri]
        self._by_path[key] = self._by_path.pop(key)
        return document

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self.revision += 1
        key = self._by_uri.pop(uri, None)
        if key is not None and key not in self._by_uri.values():
            self._by_path.pop(key, None)

    def of_uri(self, uri: str) -> Document | None:
        """The open document of that URI, or None."""
        key = self._by_uri.get(uri)
        return self._by_path.get(key) if key is not None else None

    def of_path(self, path: Path) -> Document | None:
        """The open document of that file, or None."""
        return self._by_path.get(real_path(path))

    def all(self) -> list[Document]:
        """All open documents, the one last opened or changed at the end."""
        return list(self._by_path.values())


def _older(version: int | None, known: int | None) -> bool:
    return version is not None and known is not None and version < known
