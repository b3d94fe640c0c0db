"""The environment that cargo gets from us."""

import shutil

from tutor_lsp.process.environment import child_environment

WRAPPER = shutil.which("env") or ""


def cargo_environment(**extra: str) -> dict[str, str]:
    """What `child_environment` lets through, with cargo kept to compilers that are there.

    `RUSTC_WRAPPER` names a program that does nothing of its own, in the place of one that the
    learner's configuration may name: a cache of compilations is a server outside. An empty value
    would do that too, but cargo then asks rustc for its facts again at every start.
    """
    return child_environment(
        {
            "RUSTUP_AUTO_INSTALL": "0",
            "CARGO_TERM_COLOR": "never",
            "RUSTC_WRAPPER": WRAPPER,
            **extra,
        }
    )
