"""What a proof runs as one: it comes to the same as apart."""

import time
from dataclasses import replace

import pytest
from proof_kit import PASSED, TOOLCHAINS, candidate, put, trial

from tutor_lsp.authoring.proof import LIMITS, stable
from tutor_lsp.authoring.proof.executor import LEAST_S, Executor, patience
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.c.compiler import LIGHT, Compiler
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect

PYTHON = {
    "prints": 'print("one", end="")\n',
    "prints on both": 'import sys\nprint("out")\nprint("err: ValueError: no", file=sys.stderr)\n',
    "is the main module": "print(__name__, __package__, __spec__)\nif __name__ == '__main__':\n"
    "    import __main__\n    print(__main__.__file__.rpartition('/')[2], __main__ is not None)\n",
    "sees its own folder": "import os, sys\nprint(os.path.basename(os.getcwd()), sys.argv,"
    " os.path.basename(sys.path[0]), os.listdir())\nopen('left', 'w').close()\n",
    "sees no folder of others": "import os\nprint(os.path.exists('left'), os.listdir('.'))\n",
    "keeps nothing for others": "import builtins\nbuiltins.kept = 1\n",
    "finds nothing of others": "print(hasattr(__builtins__, 'kept'), 'kept' in globals())\n",
    "has loaded nothing": "import sys\nprint(sorted({'json', 're', 'signal', 'enum', 'random'}"
    " & set(sys.modules)))\n",
    "uses the exercise": "from exercise.numbers import TWO\nprint(TWO)\n",
    "ends later": "import atexit, threading\natexit.register(print, 'last')\n"
    "threading.Timer(0.1, print, ['in between']).start()\nprint('first')\n",
    "ends itself": "import sys\nprint('so far')\nsys.exit()\n",
    "ends itself with a fault": "import sys\nprint('so far')\nsys.exit('no more')\n",
    "raises": "print('so far')\nprint(1 // 0)\n",
    "does not parse": "print('so far'\n",
    "kills itself": "import os\nos.kill(os.getpid(), 9)\n",
    "leaves a child": "import os, time\nif os.fork() == 0:\n    time.sleep(0.2)\n    os._exit(0)\n"
    "print('done')\n",
    "prints much": "print('x' * 10000)\n",
    "warns": "import warnings\nwarnings.warn('soon')\n",
    "reads": "print(input.__name__, repr(__import__('sys').stdin.read()))\n",
    "says where": "import inspect\ndef f():\n    pass\nprint(inspect.getsource(f))\n",
    "is a session": ">>> 1 + 1\n2\n",
    "raises in a class": "class Odd(Exception):\n    pass\nraise Odd('so')\n",
    "calls itself by name": "import pickle\nclass P:\n    x = 1\n"
    "print(pickle.loads(pickle.dumps(P())).x)\n",
}  # fmt: skip
REFERENCE = {"src/exercise/__init__.py": "", "src/exercise/numbers.py": "TWO = 2\n"}


def told(tried, folder):
    def plain(text):
        return text.replace("/blocks/", "/").replace(str(folder), "")

    return tried.built, tried.ran, plain(tried.output), plain(tried.said), tried.codes


async def test_programs_of_python_are_as_if_each_was_started_alone(tmp_path):
    codes = list(PYTHON.values())
    python = dialect("python")
    bench = Bench(TOOLCHAINS["python"], tmp_path / "one", RunLimits())
    together = await python.try_blocks(codes, REFERENCE, bench)
    alone = Bench(TOOLCHAINS["python"], tmp_path / "two", RunLimits())
    for number, (name, tried) in enumerate(zip(PYTHON, together, strict=True)):
        single = await python.try_block(number, codes, REFERENCE, alone)
        mine, theirs = told(tried, tmp_path / "one"), told(single, tmp_path / "two")
        assert mine == theirs, name


@pytest.mark.parametrize("code", ["print(1)\n", "while True:\n    pass\n"])
async def test_what_ends_well_is_not_started_again(code, tmp_path, monkeypatch):
    monkeypatch.setattr("tutor_lsp.languages.python.proof.blocks.BLOCK_S", 1.0)
    monkeypatch.setattr("tutor_lsp.languages.common.proof.dialect.BLOCK_S", 1.0)
    bench, started = Bench(TOOLCHAINS["python"], tmp_path, RunLimits()), []
    real = bench.execute

    async def execute(argv, folder, **options):
        started.append(folder.name)
        return await real(argv, folder, **options)

    monkeypatch.setattr(bench, "execute", execute)
    tried = await dialect("python").try_blocks(["print(0)\n", code, "print(2)\n"], {}, bench)
    assert [each.output for each in (tried[0], tried[2])] == ["0\n", "2\n"]
    assert started == (["blocks"] if tried[1].ran else ["blocks", "block-1"])
    assert tried[1].ran is (code == "print(1)\n")


async def test_versions_of_python_and_other_surroundings_are_one_run(monkeypatch):
    toolchain, asked = TOOLCHAINS["python"], []
    real = type(toolchain).run

    async def run(self, folder, *, tests=None, limits=None, **options):
        asked.append((tests is None, "TZ" in dict(limits.around), limits.plain))
        return await real(self, folder, tests=tests, limits=limits, **options)

    monkeypatch.setattr(type(toolchain), "run", run)
    result = await prove(candidate(), toolchain, mutants=False)
    assert (result.findings, result.proof.stable_runs) == ((), 3)
    assert asked == [(True, False, False), (True, False, False), (False, True, True)]


async def test_without_what_was_compared_every_test_ends_as_with_it(tmp_path):
    """Tests of the starter, of which each fails, and of a version on which some do."""
    made = candidate()
    bench = Bench(TOOLCHAINS["python"], tmp_path, LIMITS)
    (path,) = made.solution
    wrong = made.solution[path].replace("celsius * 9", "celsius * 8")
    assert wrong != made.solution[path]
    for files in (made.files, {**made.files, **made.solution}, {**made.files, path: wrong}):
        told, plain = await bench.run(files), await bench.run(files, plain=True)
        assert [(t.name, t.outcome, t.not_implemented) for t in plain.tests] == [
            (t.name, t.outcome, t.not_implemented) for t in told.tests
        ]
        if files[path] == wrong:
            assert any(test.left is not None for test in told.tests)
            assert all(test.left is None for test in plain.tests)
            assert any(test.outcome is PASSED for test in plain.tests)


async def test_a_reference_that_only_holds_here_is_told_though_that_is_part_of_a_program(tmp_path):
    zone = '__import__("time").tzname[0] == "XXX"'
    made = candidate("python", put("*", 'F{frost}"\n', f'F{{frost}}"[: 99 - 90 * ({zone})]\n'))
    result = await prove(made, TOOLCHAINS["python"], mutants=False, scratch=tmp_path)
    told = [each.message for each in result.findings if each.step == "stable"]
    assert told
    assert all("the time zone, the locale" in each for each in told)


OLD = '__import__("time").time() - __import__("os").path.getmtime(__file__) > 86400'
FRESH = (
    '(p := __import__("pathlib").Path("fresh")).write_text("") or '
    '__import__("time").time() - p.stat().st_mtime > 86400'
)
LATER = f'__import__("time").time() > {time.time() + 86400}'


@pytest.mark.parametrize(
    ("made", "told"),
    [(FRESH, False), (OLD, True), (LATER, True)],
    ids=["of a file that it writes", "of its own file", "of no file"],
)
async def test_code_that_compares_the_clock_with_times_of_new_files_is_stable(made, told, tmp_path):
    put_in = put("*", 'F{frost}"\n', f'F{{frost}}"[: 99 - 90 * ({made})]\n')
    result = await prove(
        candidate("python", put_in), TOOLCHAINS["python"], mutants=False, scratch=tmp_path
    )
    assert any(each.step == "stable" for each in result.findings) is told


IN_C = """struct stat status = {0};
    fclose(fopen("fresh", "w"));
    stat(FILE, &status);
    return celsius < FREEZING && time(NULL) - SINCE < 86400;
"""


@pytest.mark.parametrize(
    ("file", "since", "told"),
    [
        ('"fresh"', "status.st_mtime", False),
        ('"src/weather.c"', "status.st_mtime", True),
        ('"fresh"', f"{int(time.time())}", True),
    ],
    ids=["a file that it writes", "its own file", "no file"],  # the same in each process
)
async def test_so_is_code_whose_tests_have_processes_of_their_own(file, since, told, tmp_path):
    c = trial("c")
    ((path, text),) = candidate("c").solution.items()
    text = f"#include <stdio.h>\n#include <sys/stat.h>\n#include <time.h>\n{text}"
    text = text.replace(
        "return celsius < FREEZING;\n", IN_C.replace("FILE", file).replace("SINCE", since)
    )
    runs = await Executor(c, Bench(TOOLCHAINS["c"], tmp_path, LIMITS)).reference_runs({path: text})
    assert [each.outcome for each in runs[:2]] == [RunOutcome.PASSED] * 2
    assert bool(stable.check(c, runs)) is told


async def test_where_only_their_end_matters_c_compiles_tests_alone_with_less_to_look_at(
    tmp_path, monkeypatch
):
    made, compiled, real = candidate("c"), [], Compiler.compile

    def compile_(self, source, target, read, workspace, *more):
        compiled.append((source.partition("/")[0], more))
        return real(self, source, target, read, workspace, *more)

    monkeypatch.setattr(Compiler, "compile", compile_)
    bench = Bench(TOOLCHAINS["c"], tmp_path, LIMITS)
    files = {p: t + "\n" for p, t in (made.files | made.solution).items()}  # never built before
    told, plain = await bench.run(files), await bench.run(files, plain=True)
    assert [(t.name, t.outcome) for t in plain.tests] == [(t.name, t.outcome) for t in told.tests]
    assert set(compiled) == {("src", ()), ("tests", ()), ("tests", LIGHT)}


RUST = {
    "prints": 'fn main() {\n    println!("one");\n}\n',
    "has what others have": 'struct P(u8);\nfn twice(p: P) -> u8 {\n    p.0 * 2\n}\nfn main() {\n'
    '    println!("{}", twice(P(4)));\n}\n',
    "shows it": 'use std::fmt;\nstruct P(u8);\nimpl fmt::Display for P {\n'
    '    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {\n        write!(f, "{}", self.0)\n'
    '    }\n}\nfn main() {\n    println!("{}", P(3));\n}\n',
    "has macros": 'macro_rules! two {\n    () => {\n        2\n    };\n}\nfn main() {\n'
    '    println!("{}", two!());\n}\n',
    "uses the exercise": 'use exercise::TWO;\nfn main() {\n    println!("{TWO}");\n}\n',
    "gives a result": 'fn main() -> Result<(), String> {\n    println!("so far");\n    Ok(())\n}\n',
    "gives an error": 'fn main() -> Result<(), String> {\n    Err("no".into())\n}\n',
    "panics": 'fn main() {\n    println!("so far");\n    panic!("no more");\n}\n',
    "speaks of its crate": 'fn two() -> u8 {\n    2\n}\nfn main() {\n'
    '    println!("{}", crate::two());\n}\n',
    "says where": 'fn main() {\n    println!("{}", module_path!());\n}\n',
    "complains": 'fn main() {\n    eprintln!("so");\n}\n',
}  # fmt: skip
BROKEN = 'fn main() {\n    let x: u8 = "no";\n}\n'


@pytest.mark.cargo
@pytest.mark.parametrize("more", [(), (BROKEN,)])
async def test_programs_of_rust_are_as_if_each_was_built_alone(more, tmp_path, monkeypatch):
    codes, built = [*RUST.values(), *more], []
    bench = Bench(TOOLCHAINS["rust"], tmp_path / "one", RunLimits())
    alone = Bench(TOOLCHAINS["rust"], tmp_path / "two", RunLimits())
    real = bench.execute

    async def execute(argv, folder, **options):
        built.append(folder.name) if options.get("builds") else None
        return await real(argv, folder, **options)

    monkeypatch.setattr(bench, "execute", execute)
    rust, reference = dialect("rust"), {"src/lib.rs": "pub const TWO: u8 = 2;\n"}
    together = await rust.try_blocks(codes, reference, bench)
    await rust.try_blocks(codes[4:5], reference, alone)  # makes the library
    for number, (code, tried) in enumerate(zip(codes, together, strict=True)):
        single = await rust.try_block(number, codes, reference, alone)
        assert told(tried, tmp_path / "one") == told(single, tmp_path / "two"), code
    apart = 5 if not more else len(codes)  # those that fail, complain or speak of themselves
    assert len(built) == len(["library", "blocks"]) + apart


ENDLESS = "def is_frosty(celsius: int) -> bool:\n    while True:\n        pass\n"


async def test_a_mistake_that_does_not_end_is_not_waited_for_as_long_as_a_reference(monkeypatch):
    toolchain, limits_of = TOOLCHAINS["python"], []
    real = type(toolchain).run

    async def run(self, folder, *, tests=None, limits=None, **options):
        limits_of.append(limits.test_s)
        return await real(self, folder, tests=tests, limits=limits, **options)

    monkeypatch.setattr(type(toolchain), "run", run)
    made = replace(candidate(), mistakes={"ex-2": (Mistake("Endless", "You go on.", ENDLESS),)})
    result = await prove(made, toolchain, mutants=False)
    assert result.findings == ()
    assert limits_of == [*[LIMITS.test_s] * 3, LEAST_S]


async def test_a_test_of_an_earlier_unit_that_was_only_kept_waiting_is_no_finding(monkeypatch):
    """The machine stalls whatever has no more than the time of a wrong version."""
    toolchain, limits_of = TOOLCHAINS["python"], []
    real = type(toolchain).run

    async def run(self, folder, *, tests=None, limits=None, **options):
        report = await real(self, folder, tests=tests, limits=limits, **options)
        limits_of.append(limits.test_s)
        if limits.test_s != LEAST_S:
            return report
        stalled = (
            replace(each, outcome=TestOutcome.TIMEOUT) if "fahrenheit" in each.name else each
            for each in report.tests
        )
        return replace(report, tests=tuple(stalled))

    monkeypatch.setattr(type(toolchain), "run", run)
    wrong = "def is_frosty(celsius: int) -> bool:\n    return celsius <= 0\n"
    made = replace(candidate(), mistakes={"ex-2": (Mistake("Border", "You include 0.", wrong),)})
    result = await prove(made, toolchain, mutants=False)
    assert result.findings == ()
    assert limits_of == [*[LIMITS.test_s] * 3, LEAST_S, LEAST_S, LIMITS.test_s]


def test_a_slow_reference_gives_its_wrong_versions_more_time():
    slow = RawTest("test_a", PASSED, duration_ms=700.0)
    runs = [RawReport(RunOutcome.PASSED, tests=(slow, replace(slow, duration_ms=2.0)))]
    assert patience(runs) == pytest.approx(7.0)
    assert patience([]) == LEAST_S
