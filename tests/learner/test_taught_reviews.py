"""A review teaches what was taught: at most one new thing, and nothing against the last hint."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from learner_kit import learner
from test_reviews import dropped, payload, script

from tutor_lsp.core.session import Place, Review
from tutor_lsp.tutor.reviewing.taught import with_the_last_hint


@dataclass
class Case:
    """An exercise, a line of its reference that a last hint asks for, another way to write that;
    another line with two ways that nothing has shown, and one that was shown."""

    node: str
    file: str
    hinted: str
    against: str
    line: str
    new: tuple[str, str]
    shown: str
    name: str


CASES = {
    "python": Case(
        "python-loops", "src/exercise/tour.py",
        "    return list(zip(stops, stops[1:]))", "`itertools.pairwise(stops)` says that.",
        "    result: list[str] = []",
        ("`functools.reduce` builds it in one expression.", "`deque` grows at both ends."),
        "An empty list that `append` fills is clear.", "Python",
    ),
    "rust": Case(
        "rust-functions", "src/lib.rs",
        "    let extra = tip(bill, percent);", "Leave the name out and use `checked_add` at once.",
        "    bill * percent / 100",
        ("`div_ceil` rounds up by itself.", "`rem_euclid` is never negative."),
        "You multiply by `percent` first.", "Rust",
    ),
    "c": Case(
        "c-pointers", "src/orders.c",
        "    return *at == '\\0';", "`strlen` asks that, too.",
        "    return letter != '\\0' && strchr(\"FBLR\", letter) != NULL;",
        ("`strspn` does it in one call.", "`strpbrk` finds any of them."),
        "`NULL` says that there is none.", "C",
    ),
}  # fmt: skip
LANGUAGES = [
    pytest.param(language, marks=pytest.mark.cargo if language == "rust" else ())
    for language in CASES
]


UNTRIED = "Not tried out, so look for yourself: "


@pytest.mark.sample("python", "c")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_one_remark_is_new_and_says_so(tmp_path, monkeypatch, language):
    case = CASES[language]
    script(tmp_path, monkeypatch)
    async with learner(tmp_path / "home", backend="scripted") as me:
        session = await me.start(language=language, node=case.node, backend="library")
        await me.solve(session)
        rows = Path(session["workspace"], case.file).read_text("utf-8").split("\n")

        def at(line):
            number = rows.index(line) + 1
            return {"file": case.file, "line": number, "end_line": number, "quote": line}

        findings = [
            {**at(case.hinted), "claim": case.against, "evidence": "The documentation."},
            *({**at(case.line), "claim": said, "evidence": "The manual."} for said in case.new),
            {**at(case.line), "claim": case.shown, "evidence": "The lesson."},
        ]
        lines = me.app.services.backends.get("scripted")._lines
        lines[:] = [
            payload(findings=findings, improvement=case.against, improvement_at=at(case.hinted))
        ]
        review = (await me.do("attempt"))["review"]
        said = [each["claim"] for each in review["findings"]]
        word = case.new[0].split("`")[1].split(".")[0]
        assert said == [
            f"{case.name} also has `{word}`, which is new here. {UNTRIED}{case.new[0]}",
            f"{UNTRIED}{case.shown}",
        ]
        assert review["improvement"] is None
        assert review["verdict"] == "PASS"
        why = [reason for _, reason in await dropped(me, session)]
        assert why[:2] == ["it is against the last hint on these lines"] * 2
        assert "nothing has shown `" in why[2]


async def test_what_a_passed_topic_showed_is_known(tmp_path, monkeypatch):
    text = "A `while` loop needs no second name."  # no loop is in this exercise's lesson
    script(tmp_path, monkeypatch, *[payload(improvement=text)] * 2)
    async with learner(tmp_path / "home", backend="scripted") as me:
        session = await me.start(language="python", node="python-strings", backend="library")
        lesson = Path(session["lesson"]).read_text("utf-8")
        assert "while" not in lesson
        await me.solve(session)
        review = (await me.do("attempt"))["review"]
        assert review["improvement"] == f"Python also has `while`, which is new here. {text}"
        await me.do("claim", node="python-loops", known=True)
        review = (await me.do("attempt"))["review"]
        assert review["improvement"] == text
        prompt = me.app.services.backends.get("scripted").requests[-1].prompt.text
        title = me.app.services.curriculum.title_of("python-loops")
        assert title in prompt.partition("# Topics that they have passed")[2].partition("# Now")[0]


async def test_a_construct_is_known_by_its_name_or_its_code(tmp_path, monkeypatch):
    new = "A dict comprehension says that in one line."
    told = "Python also has decorators: they wrap a function."
    script(tmp_path, monkeypatch, payload(improvement=new), payload(improvement=told))
    async with learner(tmp_path / "home", backend="scripted") as me:
        session = await me.start(language="python", node="python-strings", backend="library")
        await me.solve(session)
        said = (await me.do("attempt"))["review"]["improvement"]
        assert said == f"Python also has dict comprehension, which is new here. {new}"
        assert (await me.do("attempt"))["review"]["improvement"] == told, "introduced already"


async def test_a_linter_is_not_heard_against_the_last_hint(tmp_path):
    case = CASES["python"]
    async with learner(tmp_path / "home", backend="library") as me:
        session = await me.start(language="python", node=case.node, backend="library")
        await me.solve(session)
        report = (await me.do("attempt"))["report"]
        opened = me.app.exercises.open_at(Path(session["workspace"]))
        texts = {case.file: (Path(session["workspace"]) / case.file).read_text("utf-8")}
        number = texts[case.file].split("\n").index(case.hinted) + 1
        review = Review("PASS", 90, "Well done.", (), "`zip()` without `strict=`.")
        at = Place(case.file, number, number, case.hinted.strip())
        kept = opened.session.attempts[-1].report
        assert report["outcome"] == "passed"
        there = replace(review, improvement_at=at)
        assert (await with_the_last_hint(there, kept, opened, texts)).improvement is None
        place = replace(at, line=1, end_line=1, quote="x = 1")
        elsewhere = replace(review, improvement_at=place)
        assert await with_the_last_hint(elsewhere, kept, opened, texts) == elsewhere
