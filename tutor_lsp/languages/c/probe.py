"""How a call becomes a test in C."""

from tutor_lsp.languages.c.mains import before_main
from tutor_lsp.languages.common.probe import TreeProbes
from tutor_lsp.languages.common.texts import words

PROBES = TreeProbes(
    language="c",
    check="void tutor_check(void)\n{{\n{setup}    tutor_call = {call};\n"
    "    tutor_expected = {expected};\n}}\n",
    test="void {name}(void)\n{{\n{setup}    TEST_ASSERT_EQ({expected}, {call});\n}}\n\n",
    names=words(
        "system popen fopen freopen open fork vfork execv execve execl execlp execvp getenv "
        "setjmp longjmp kill abort exit asm dlopen dlsym"
    ),
    nodes=words(
        "preproc_include preproc_def preproc_function_def preproc_if preproc_ifdef preproc_call "
        "gnu_asm_expression goto_statement"
    ),
    put=before_main,
)
