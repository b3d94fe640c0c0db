"""Which way of printing a stream gets."""

from typing import TextIO

from tutor_lsp.cli.screen.out import Out, is_rich


def make_out(stream: TextIO, *, plain: bool) -> Out:
    """What fits a stream."""
    if not is_rich(stream, plain=plain):
        return Out(stream)
    from tutor_lsp.cli.screen.rich_out import RichOut

    return RichOut(stream)
