"""The table of verbs as click commands. Everything a verb does lies in its modules."""

import difflib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

from tutor_lsp import __version__
from tutor_lsp.cli.exit_codes import DONE, REFUSED, USAGE
from tutor_lsp.cli.extra import EXTRA
from tutor_lsp.cli.screen.print_line import print_line
from tutor_lsp.cli.verbs import VERBS, Verb, verb_command
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import marked, speak_here, t

ABOUT = marked("""A coding tutor in your editor and your terminal.

Learn here:       tutor-lsp start, then tutor-lsp check, hint, attempt, next

Live results:     tutor-lsp watch

See it at work:   tutor-lsp demo

Without a verb, tutor-lsp is the language server that editors start.
""")


ROWS: Mapping[str, Verb] = MappingProxyType({verb.name: verb for verb in (*VERBS, *EXTRA)})


class Verbs(click.Group):
    """Makes a verb's command when it is asked for, and knows the nearest verb to one that does not
    exist."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name in ROWS and cmd_name not in self.commands:
            self.commands[cmd_name] = verb_command(ROWS[cmd_name])
        return self.commands.get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1, cutoff=0.5)
            guess = f" {t(f'Did you mean “{near[0]}”?')}" if near else ""
            there_is_none = t(f"There is no verb “{name}”.")
            raise click.UsageError(f"{there_is_none}{guess} {t('All: tutor-lsp --help')}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table, which is that of a learner's day."""
        del ctx
        return list(ROWS)


def make_group() -> click.Group:
    """All verbs."""
    group = Verbs(
        name="tutor-lsp",
        help=t(ABOUT),
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    option: Callable[..., Any] = click.version_option
    return option(__version__, prog_name="tutor-lsp", message="%(prog)s %(version)s")(group)  # type: ignore[no-any-return]


def run(arguments: Sequence[str]) -> int:
    """Run a verb to its exit code."""
    speak_here()
    try:
        code = make_group().main(list(arguments), prog_name="tutor-lsp", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        if "--json" in arguments:
            wrong = {"message": error.format_message(), "kind": "USAGE"}
            print_line(json.dumps(wrong, ensure_ascii=False), sys.stderr)
        return USAGE
    except click.Abort:
        return 130
    except BrokenPipeError:
        return DONE
    except OSError:
        # click prints help by itself: is it that which could not be written?
        try:
            print_line("", sys.stdout)
        except TutorError as unwritten:
            print_line(unwritten.message, sys.stderr)
            return REFUSED
        raise
    return code if isinstance(code, int) else 0
