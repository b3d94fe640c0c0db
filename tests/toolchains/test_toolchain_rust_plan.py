"""What is learnt from cargo's words, and what of rustc's answers counts: no compiler is started."""

import asyncio
import os
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from toolchain_kit import write

from tutor_lsp.languages.rust.direct.compiling import Compiling, LibraryRefused, Plans, Told
from tutor_lsp.languages.rust.direct.linker import Waiting
from tutor_lsp.languages.rust.direct.plan import OUT, BuildPlan, Call, is_plain, learn
from tutor_lsp.languages.rust.events import Build, Unit
from tutor_lsp.process.run import stream
from tutor_lsp.process.spec import Spec

CARGO = (
    "     Running `A=1 B='two words' /usr/bin/env /x/rustc --crate-name one --out-dir /t/deps"
    " -C extra-filename=-1 -L dependency=/t/deps`\n"
)
TEST = (
    "     Running `A=2 /usr/bin/env /x/rustc --crate-name two --test --out-dir /t/deps"
    " -C extra-filename=-2 -C incremental=/t/kept --extern one=/t/deps/libone-1.rlib`\n"
)
UNITS = [
    Unit("p", ("lib",), "src/lib.rs", ("/t/deps/libone-1.rmeta", "/t/deps/libone-1.rlib")),
    Unit("p", ("test",), "tests/two.rs", ("/t/deps/two-2",)),
]


def learned(said=CARGO + TEST, units=UNITS, **build):
    """What is learnt of a build."""
    whole = Build(units=list(units), **{"finished": True, **build})
    return learn(said, whole, Path("/t"), "/usr/bin/env")


def test_the_calls_are_learnt_from_what_cargo_says():
    plan = learned()
    assert plan.library.environment == {"A": "1", "B": "two words"}
    assert plan.library.made == ("libone-1.rlib", "libone-1.rmeta")
    assert plan.tests[0].words("/new")[:5] == [
        "/x/rustc",
        "--crate-name",
        "two",
        "--test",
        "--out-dir",
    ]
    assert plan.tests[0].words("/new")[-1] == "one=/new/libone-1.rlib"
    assert "incremental=/t/kept" in plan.tests[0].command
    assert f"dependency={OUT}" in plan.library.command


@pytest.mark.parametrize(
    "other",
    [
        {"said": CARGO},
        {"said": CARGO + TEST + TEST},
        {"said": CARGO + TEST.replace("/x/rustc", "/x/wrapper /x/rustc")},
        {"said": CARGO + TEST.replace("libone-1", "libother-1")},
        {"said": CARGO + TEST.replace("--test", "-Clink-arg=/t/deps/more.o")},
        {"said": CARGO + TEST.replace("--test", "'--test")},
        {"said": CARGO + TEST.replace("--test", "@file")},
        {"said": CARGO + TEST.replace("--test", "'two\nlines'")},
        {"said": CARGO + TEST.replace("A=2", "A=\ufffd")},
        {"units": UNITS[:1]},
        {"said": CARGO, "units": UNITS[:1]},
        {"units": UNITS[1:]},
        {"units": [*UNITS, Unit("p", ("bin",), "src/main.rs", ("/t/x",))]},
        {"units": [UNITS[0], replace(UNITS[1], package="q")]},
        {"fresh": True},
        {"scripted": True},
        {"finished": False},
    ],
)  # fmt: skip
def test_nothing_is_learnt_where_there_is_more_to_it(other):
    assert learned(**other) is None


@pytest.mark.parametrize(
    ("manifest", "plain"),
    [
        ("[workspace]\n", True),
        ("", False),
        ('[workspace]\nmembers = ["a"]\n', False),
        ('[workspace.package]\nedition = "2021"\n', False),
        ("[workspace", False),
    ],
)
def test_a_manifest_is_plain_if_it_stands_alone(manifest, plain):
    assert is_plain(manifest) is plain


ERROR = '{"message": "wrong", "level": "error", "spans": [], "code": null, "children": []}\n'


@pytest.mark.parametrize(
    ("code", "said", "files", "finished"),
    [
        (0, "", {"a": "", "b": ""}, True),
        (0, "", {"a": ""}, None),
        (0, ERROR, {"a": "", "b": ""}, None),
        (0, "", {"a": "", "b": "", "1.said": ERROR}, None),
        (0, "", {"a": "", "b": "", "b.d": "# env-dep:MORE=1\n"}, None),
        (0, "", {"a": "", "b": "", "b.d": "# env-dep:KNOWN=1\n"}, True),
        (1, ERROR, {}, False),
        (1, "", {"1.said": ERROR}, False),
        (1, "no words of rustc\n", {}, None),
        (1, "", {}, None),
        (101, ERROR, {}, None),
        (-9, ERROR, {}, None),
    ],
)
def test_only_a_plain_answer_of_rustc_counts(tmp_path, code, said, files, finished):
    calls = [Call(f"{name}.rs", {"KNOWN": "1"}, ("rustc",), (name,)) for name in "ab"]
    compiling = Compiling(BuildPlan(calls[0], (calls[1],)), write(tmp_path, files), 1, None, "/w")
    for line in said.encode().splitlines():
        compiling.take(line)
    build = compiling.told(code)
    assert (build and build.finished) is finished


def test_what_tests_say_counts_only_where_the_library_is_right(tmp_path):
    calls = [Call(f"{name}.rs", {}, ("rustc",), (name,)) for name in "ab"]
    write(tmp_path, {"1.said": ERROR.replace("wrong", "of the test")})
    compiling = Compiling(BuildPlan(calls[0], (calls[1],)), tmp_path, 1, None, "/w")
    compiling.take(ERROR.encode())
    assert compiling.told(1).unplaced == ["wrong"]


def test_tests_are_compiled_from_metadata_where_there_is_some():
    command = learned().early().tests[0].words("/new")
    at = command.index("--extern")
    assert command[at : at + 2] == ["--extern", "one=/new/libone-1.rmeta"]
    assert command[at + 2 : at + 4] == ["--extern", "one=/new/libone-1.rlib"]
    plan = learned()
    assert replace(plan, library=replace(plan.library, made=("libone-1.rlib",))).early() is None


def test_plans_of_another_compiler_are_forgotten_and_few_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("tutor_lsp.languages.rust.direct.compiling.KEPT", 2)
    write(tmp_path, {"rustc": "one"})
    plan = BuildPlan(Call("", {}, (str(tmp_path / "rustc"),), ("a",)), ())
    plans = Plans()
    for key in "abc":
        plans.put(key, plan)
    assert [plans.get(key) for key in "abc"] == [None, plan, plan]
    write(tmp_path, {"rustc": "other"})
    assert plans.get("c") is None
    plans.put("c", None)
    assert plans.get("c") is None
    assert [plans.unfit(key) for key in "abc"] == [False, False, True]


def test_plans_last_longer_than_a_process(tmp_path):
    write(tmp_path, {"rustc": "one"})
    plan = learned()
    plan = replace(
        plan, library=replace(plan.library, command=(f"{tmp_path}/rustc", *plan.library.command))
    )
    kept = tmp_path / "home" / "plans"
    for key in "ab":
        Plans(kept).put(key, plan, lasting=True)
    Plans(kept).put("c", plan)
    assert Plans(kept).get("a") is None
    assert Plans(kept).get("a", lasting=True) == plan
    assert Plans(kept).get("c", lasting=True) is None
    Plans(kept).put("a", None)
    assert Plans(kept).get("a", lasting=True) is None
    (file,) = kept.iterdir()
    whole = file.read_text()
    for damaged in ("", whole[:-9], whole.replace('"b"', '"a"', 1), "[]"):
        file.write_text(damaged)
        assert Plans(kept).get("b", lasting=True) is None
    file.write_text(whole)
    assert Plans(kept).get("b", lasting=True) == plan
    write(tmp_path, {"rustc": "another"})
    assert Plans(kept).get("b", lasting=True) is None


FAKE = """#!/bin/sh
here=$(dirname "$0")
word=$1
case $1 in
  @*)
    [ "$N" = 0 ] || : >"$here/waits"
    read -r word <"${1#@}" || exit 0
    [ "$N" = 0 ] && [ "$word" = --lib ] || [ "$word" = --test ] || exit 102 ;;
esac
[ "$N" != 0 ] || until [ -e "$here/waits" ]; do sleep 0.01; done
for each in $AFTER; do
  until grep -qx "$each" "$here/begun"; do sleep 0.01; done
done
echo "$N" >>"$here/begun"
if [ "$word" = --lib ]; then
  : >"$here/one.rmeta"
  [ -z "$EARLY" ] || {
    echo '{"emit":"metadata"}' >&2
    until grep -qx 1 "$here/begun"; do sleep 0.01; done
  }
  :
else
  [ -z "$EARLY" ] || { [ -e "$here/one.rlib" ] && "$here/cc" --version >/dev/null || exit 103; }
fi
echo "$N" >>"$here/ended"
exit "$CODE"
"""
"""A compiler that notes when it begins and ends. The library's begins no sooner than another one
waits, and each no sooner than those that `AFTER` names. An early test begins before the library's
has ended, with a library that stands in for it, and links after that."""


class Shell:
    """A build of calls that end with these codes, each begun after those of `begun` before it."""

    def __init__(self, out, codes, begun, linking=None):
        self.out = out
        write(out, {"rustc": FAKE})
        (out / "rustc").chmod(0o755)
        early = "1" if linking else ""
        calls = [
            Call(
                source=f"{n}",
                environment={
                    "N": str(n), "CODE": str(each), "AFTER": " ".join(begun[:n]), "EARLY": early
                },
                command=(f"{out}/rustc", "--test" if n else "--lib", OUT),
                made=() if n else ("one.rlib", "one.rmeta"),
            )
            for n, each in enumerate(codes)
        ]  # fmt: skip
        self.plan, self.linking = BuildPlan(calls[0], tuple(calls[1:])), linking
        self.soon = []

    async def ended(self, jobs):
        """What the program ended with, or else the library's compiler."""
        told = Told(made=partial(self.soon.append, "tests"))
        with Compiling(self.plan, self.out, jobs, self.linking, "/w") as compiling:
            compiling.begin(told)
            argv = ("/bin/sh", "-c", compiling.script())
            spec = Spec(argv, self.out, {"PATH": os.environ["PATH"]}, 20, pass_fds=compiling.fds)
            try:
                ended = await stream(spec, compiling.take)
            except LibraryRefused as refused:
                return refused.code
            assert not ended.timed_out
            return ended.returncode

    def noted(self, name):
        """The numbers of those that have begun or ended, in that order."""
        file = self.out / name
        return "".join(file.read_text().split()) if file.exists() else ""


@pytest.mark.parametrize("jobs", [1, 2, 8])
@pytest.mark.parametrize(
    ("codes", "begun", "code"),
    [
        ([0, 0], "01", 0),
        ([0, 0, 0, 0], "0123", 0),
        ([1, 0, 0, 0], "0", 1),
        ([101, 0, 0, 0], "0", 101),
        ([0, 1], "01", 1),
        ([0, 101], "01", 101),
        ([0, 0, 0, 101], "0123", 101),
        ([0, 1, 101], "", 101),
        ([0, 101, 1], "", 101),
    ],
)
async def test_the_library_is_built_first(tmp_path, jobs, codes, begun, code):
    shell = Shell(tmp_path / "ä b", codes, begun)
    ended = await shell.ended(jobs)
    assert shell.noted("begun")[0] == "0"
    assert shell.soon == ([] if codes[0] else ["tests"])
    if begun:
        assert (ended, "".join(sorted(shell.noted("begun")))) == (code, begun)
    else:  # two fail: whether both begin depends on how many may run
        assert ended == code or len(shell.noted("begun")) < len(codes)


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is missing")
@pytest.mark.parametrize("jobs", [1, 2])
async def test_tests_begin_with_metadata_and_are_linked_with_the_library(tmp_path, jobs):
    shell = Shell(out := tmp_path / "ä b", [0, 0, 0], "012", Waiting(out))
    assert await shell.ended(jobs) == 0
    assert shell.noted("begun")[:2] == "01"
    assert shell.noted("ended")[0] == "0"


async def test_nobody_waits_for_tests_of_a_library_that_is_wrong(tmp_path):
    shell = Shell(tmp_path, [1, 0], "0")
    endless = replace(shell.plan.tests[0], command=("/bin/sh", "-c", "sleep 60"))
    shell.plan = replace(shell.plan, tests=(endless,))
    (tmp_path / "waits").touch()
    assert await asyncio.wait_for(shell.ended(1), 15) == 1
