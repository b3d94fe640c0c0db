"""How a call becomes a test in Python."""

from tutor_lsp.languages.common.probe import TreeProbes
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.python.contract import outside

PROBES = TreeProbes(
    language="python",
    check="def tutor_check():\n{setup}    tutor_call = {call}\n    tutor_expected = {expected}\n",
    test="\n\ndef {name}():\n{setup}    assert {call} == {expected}\n",
    names=words(
        "open exec eval compile globals locals vars input breakpoint getattr setattr delattr exit "
        "quit inspect sys os io importlib builtins subprocess socket threading pathlib"
    ),
    nodes=words(
        "import_statement import_from_statement future_import_statement global_statement "
        "nonlocal_statement expression_list yield"
    ),
    wrapped=words(
        "boolean_operator comparison_operator not_operator conditional_expression lambda "
        "named_expression await"
    ),
    unfair=outside,
)
