"""What is learnt from cargo's words, and what of rustc's answers counts: no compiler is started."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from toolchain_kit import write

from tutor_lsp.languages.rust.direct import Plans, script, told
from tutor_lsp.languages.rust.events import Build, Unit
from tutor_lsp.languages.rust.plan import OUT, Call, Plan, is_plain, learn

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
    ("code", "files", "finished"),
    [
        (0, {"a": "", "b": ""}, True),
        (0, {"a": ""}, None),
        (0, {"a": "", "b": "", "1.said": ERROR}, None),
        (0, {"a": "", "b": "", "b.d": "# env-dep:MORE=1\n"}, None),
        (0, {"a": "", "b": "", "b.d": "# env-dep:KNOWN=1\n"}, True),
        (1, {"0.said": ERROR}, False),
        (1, {"0.said": "no words of rustc\n"}, None),
        (1, {}, None),
        (101, {"0.said": ERROR}, None),
        (-9, {"0.said": ERROR}, None),
    ],
)
def test_only_a_plain_answer_of_rustc_counts(tmp_path, code, files, finished):
    calls = [Call(f"{name}.rs", {"KNOWN": "1"}, ("rustc",), (name,)) for name in "ab"]
    build = told(Plan(calls[0], (calls[1],)), write(tmp_path, files), code, "/w")
    assert (build and build.finished) is finished


def test_plans_of_another_compiler_are_forgotten_and_few_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("tutor_lsp.languages.rust.direct.KEPT", 2)
    write(tmp_path, {"rustc": "one"})
    plan = Plan(Call("", {}, (str(tmp_path / "rustc"),), ("a",)), ())
    plans = Plans()
    for key in "abc":
        plans.put(key, plan)
    assert [plans.get(key) for key in "abc"] == [None, plan, plan]
    write(tmp_path, {"rustc": "other"})
    assert plans.get("c") is None
    plans.put("c", None)
    assert plans.get("c") is None
    assert [plans.unfit(key) for key in "abc"] == [False, False, True]


FAKE = """#!/bin/sh
here=$(dirname "$0")
if [ "$1" = @/dev/stdin ]; then
  : >"$here/waits"
  read -r word || exit 0
  [ "$word" = --test ] || exit 102
  read -r out
else
  out=$2
  until [ "$1" = --test ] || [ -e "$here/waits" ]; do sleep 0.01; done
fi
echo "$N" >>"$out/begun"
exit "$CODE"
"""
"""A compiler that notes when it begins. The library's ends no sooner than another one waits."""


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
async def test_the_script_builds_the_library_first(tmp_path, jobs, codes, begun, code):
    out = tmp_path / "ä b"
    write(out, {"rustc": FAKE})
    (out / "rustc").chmod(0o755)
    calls = [
        Call(
            source=f"{n}",
            environment={"N": str(n), "CODE": str(each)},
            command=(f"{out}/rustc", "--test" if n else "--lib", OUT),
            made=(),
        )
        for n, each in enumerate(codes)
    ]
    text = script(Plan(calls[0], tuple(calls[1:])), out, jobs)
    shell = await asyncio.create_subprocess_exec("/bin/sh", "-c", text)
    ended = await asyncio.wait_for(shell.wait(), 20)
    numbers = (out / "begun").read_text().split()
    assert numbers[0] == "0"
    if begun:
        assert (ended, "".join(sorted(numbers))) == (code, begun)
    else:  # two fail: whether both begin depends on how many may run
        assert ended == code or len(numbers) < len(codes)
