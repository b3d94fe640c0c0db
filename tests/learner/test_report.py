"""The progress report: self-contained, readable without colour and with a screen reader."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tutor_lsp.core.learner.curriculum import Curriculum, Node, Track
from tutor_lsp.core.session import NodeRecord, OwnTopic, TagRecord
from tutor_lsp.tutor.learner.pages import markup
from tutor_lsp.tutor.learner.pages.graph import layered, wrapped
from tutor_lsp.tutor.learner.pages.report_page import Shown, report_page
from tutor_lsp.tutor.learner.pages.timeline import steps

VOID = {"meta", "path", "rect", "br"}


class Page(HTMLParser):
    """What stands in a page; complains of tags that do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.open)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((data, self.open[-1] if self.open else ""))

    def all(self, tag):
        return [attrs for name, attrs, _ in self.tags if name == tag]

    def within(self, tag):
        return " ".join(text for text, inside in self.texts if inside == tag)


async def page_of(me):
    path = Path((await me.do("report"))["path"])
    assert path == me.app.home / "report.html"
    text = path.read_text("utf-8")
    return text, Page(text)


def check(text, page):
    """What holds for every report."""
    assert page.all("html") == [{"lang": "en"}]
    assert {"header", "nav", "main", "footer"} <= {tag for tag, _, _ in page.tags}
    assert [len(page.all(tag)) for tag in ("h1", "main", "title")][:2] == [1, 1]
    ids = [attrs["id"] for _, attrs, _ in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs, _ in page.tags:
        for name in attrs.get("aria-labelledby", "").split():
            assert name in ids
        if attrs.get("href"):
            assert attrs["href"][0] == "#"
            assert attrs["href"][1:] in ids
    for section in page.all("section"):
        assert section["aria-labelledby"]
    for attrs in page.all("svg"):
        assert attrs["role"] == "img"
        assert attrs["aria-labelledby"]
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(attrs.get("scope") in ("col", "row") for attrs in page.all("th"))
    assert page.all("script") == page.all("img") == page.all("link") == []
    assert not re.search(r"https?:|url\(|@import|\bon\w+=", text)


async def test_a_fresh_home_has_a_report_with_every_topic(me):
    text, page = await page_of(me)
    check(text, page)
    for node in me.app.curriculum.nodes:
        assert markup.esc(node.title) in text
    assert page.within("text").count("○○○") == len(me.app.curriculum.nodes)


async def test_what_was_done_shows_in_marks_and_in_words(me):
    await me.start(node="c-functions")
    await me.do("attempt")
    await me.do("hint")
    await me.pass_exercise(node="python-functions")
    tags = {"missing-return": TagRecord(count=4)}
    own = NodeRecord("topic-x", "rust", own=OwnTopic("<b>chess</b>", "<b>Chess & co</b>", "D2"))

    def work(tx):
        record = tx.node("python", "python-functions")
        card = replace(record.card, due="2020-01-01T00:00:00.000+00:00")
        tx.put_node(replace(record, tags=tags, card=card))
        tx.put_node(own)

    await me.app.db(work)
    text, page = await page_of(me)
    check(text, page)
    assert "<b>" not in text
    assert "&lt;b&gt;Chess &amp; co&lt;/b&gt;" in text
    marks = page.within("text")
    assert "●○○ ↻ due" in marks
    assert "□" in marks
    assert "①" in marks
    assert "■" in marks
    cells = page.within("td")
    assert "attempt: all" in cells
    assert "hint, level 1, for ex-1" in cells
    assert "the next lesson takes it up and gives more to build on" in cells
    assert "passed, due for review" in cells
    assert "A function that forgets to answer" in page.within("th")


EMPTY = Shown(Curriculum(), [], {}, [], [], {}, {}, "2026-01-01T00:00:00Z")


def test_a_report_of_nothing_is_whole():
    text = report_page(EMPTY)
    check(text, Page(text))
    assert "Nothing here yet." in text


@pytest.mark.parametrize("odd", ["\ud800", "\0", "<script>alert(1)</script>", "]]>", "é漢" * 90])
def test_odd_titles_break_nothing(odd):
    node = Node("a", odd, odd, "c", "D1", 5)
    curriculum = Curriculum((node,), (Track("t", "T", "c", ("a",)),))
    text = report_page(replace(EMPTY, curriculum=curriculum, languages=["c"]))
    text.encode("utf-8")
    check(text, Page(text))


def test_topics_stand_below_what_they_build_on():
    def node(name, *needs):
        return Node(name, name, "", "c", "D1", 5, needs)

    nodes = [node("a"), node("b", "a"), node("c", "b", "a"), node("d", "a"), node("e", "x")]
    columns = layered(nodes)
    place = {name: x for x, column in enumerate(columns) for name in column}
    assert place["a"] < place["b"] < place["c"]
    assert place["a"] < place["d"]
    assert sorted(place) == ["a", "b", "c", "d", "e"]
    assert layered([node("a", "b"), node("b", "a")])
    assert wrapped("Vectors and what they are good for in the long run") == [
        "Vectors and what they",
        "are good for in the …",
    ]


def test_events_without_their_usual_data_are_told_all_the_same():
    event = {"at": "2026-01-01T00:00:00Z", "session": "s", "data": {}}
    found = steps([{**event, "kind": kind} for kind in ("attempt", "hint", "reveal", "check")])
    assert [step.mark for step in found] == ["□", "ⓗ", "◇"]


def test_an_attempt_that_did_not_build_tells_no_count_of_tests():
    data = {"outcome": "build_error", "passed": 0, "total": 0}
    (step,) = steps([{"at": "", "session": "s", "kind": "attempt", "data": data}])
    assert step.words == "attempt: did not build"


def test_a_hint_in_the_place_of_another_and_a_solution_are_no_more_hints():
    event = {"at": "2026-01-01T00:00:00Z", "session": "s", "kind": "hint", "data": {"level": 1}}
    better = {**event, "data": {"level": 1, "replaces": True}}
    shown = replace(EMPTY, events=[event, better, {**event, "kind": "reveal"}])
    assert "0 attempts, 1 hints" in report_page(shown)


def _luminance(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_texts_stand_out_in_both_colour_schemes(scheme):
    found = re.findall(r":root\{(.*?)\}", markup.STYLE, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--(\w+):(#\w{6})", found))
    for ink in ("ink", "soft", "mark"):
        for ground in ("paper", "fill"):
            light, dark = sorted((_luminance(colours[ink]), _luminance(colours[ground])))[::-1]
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)
