"""How to serve, from the command line."""

from collections.abc import Sequence

MOST_PORT = 65535


class ServeOptions:
    """How to serve: over stdin and stdout, or on `tcp`, a port of 127.0.0.1 (0 takes a free one).

    `home` is the tutor home, None for that of the settings.
    """

    __slots__ = ("home", "tcp")

    def __init__(self, tcp: int | None = None, home: str | None = None) -> None:
        self.tcp = tcp
        self.home = home


def server_options(arguments: Sequence[str]) -> ServeOptions | None:
    """The server's options, or None if these arguments ask for anything but a server.

    `--stdio` may stand anywhere; `--clientProcessId`, which VS Code's client adds, is accepted.
    """
    options = ServeOptions()
    verb_seen = False
    rest = iter(arguments)
    for argument in rest:
        name, has_value, value = argument.partition("=")
        if argument == "serve" and not verb_seen:
            verb_seen = True
        elif argument == "--stdio":
            continue
        elif name in ("--tcp", "--home", "--clientProcessId"):
            given = value if has_value else next(rest, None)
            if not given:
                return None
            if name == "--tcp":
                if not given.isascii() or not given.isdigit() or int(given) > MOST_PORT:
                    return None
                options.tcp = int(given)
            elif name == "--home":
                options.home = given
        else:
            return None
    return options
