"""The learning report: self-contained, readable without colour and with a screen reader."""

import gettext
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from made_up import LOCALE, english, translation

from tutor_lsp.core.learner.curriculum import Curriculum, Node, Track
from tutor_lsp.core.session import NodeRecord, OwnTopic, TagRecord
from tutor_lsp.core.text.translation import DOMAIN, LOCALES, speak
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.tutor.learner.pages import markup
from tutor_lsp.tutor.learner.pages.graph import broken, layered, wrapped
from tutor_lsp.tutor.learner.pages.learning_report import ReportData, report_page
from tutor_lsp.tutor.learner.pages.news import last_seen
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
    assert path == me.app.services.home / "report.html"
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
    for node in me.app.services.curriculum.nodes:
        assert markup.esc(node.title) in text
    assert page.within("text").count("○○○") == len(me.app.services.curriculum.nodes)


async def test_the_maps_fit_the_page_and_are_lists_in_print(me):
    text, page = await page_of(me)
    maps = [svg for svg in page.all("svg") if svg["aria-labelledby"].startswith("graph-")]
    assert len(maps) == len(me.app.services.taught)
    # 72rem without the padding of the page and of the frame.
    assert max(int(svg["width"]) for svg in maps) <= 72 * 16 - 2 * 16 - 2 * 9
    printed = text.partition("@media print{")[2].partition("</style>")[0]
    assert re.search(r"\.wide\{display:none\}", printed)
    assert ".narrow{display:block" in printed


def test_a_long_layer_is_broken_into_even_rows():
    assert [len(row) for row in broken("abcdefghi")] == [4, 5]
    assert broken("abcdef") == ["abcdef"]


async def work_done(me):
    """A record with something in every part of the page."""
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

    await me.app.services.db(work)


async def test_what_was_done_shows_in_marks_and_in_words(me):
    await work_done(me)
    text, page = await page_of(me)
    check(text, page)
    assert "<b>chess" not in text.lower()
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
    assert "Due now (1)" in page.within("h3")
    assert "Mastery grew: Functions and return values (0 → 1 of 3)." in page.within("li")


async def test_all_of_it_speaks_the_learner_s_language(me, tmp_path):
    await work_done(me)
    sessions = await me.app.services.db(lambda tx: tx.sessions())
    content = [text for each in sessions for text in (each.title, Path(each.workspace).name)]
    content += [text for node in me.app.services.curriculum.nodes for text in (node.title, node.id)]
    content += [entry.title for entry in Library([BUNDLED]).entries()]
    content += ["<b>Chess & co</b>", "A function that forgets to answer", "missing return"]
    content += [language.name for language in languages().values() if len(language.name) > 1]
    speak(gettext.translation(DOMAIN, translation(tmp_path), [LOCALE]))
    try:
        _, page = await page_of(me)
    finally:
        speak(gettext.NullTranslations())
    assert page.all("html") == [{"lang": LOCALE}]
    said = [text for text, tag in page.texts if tag != "style"]
    assert len(said) > 200
    # Titles are broken into lines.
    ours = [text for text in said if not any(text.removesuffix(" …") in each for each in content)]
    assert [text for text in ours if english(text, content)] == []


async def test_what_to_do_next_is_what_the_list_offers(me):
    await me.start(node="python-functions")
    rows = await me.do("choices", list="start")
    assert rows[0]["label"].startswith("Continue: ")
    text, _ = await page_of(me)
    part = text[text.index('<section id="part-next"') :].partition("</section>")[0]
    named = re.findall(r"<b>(.*?)</b>: ", part)
    offered = [row["label"] for row in rows if row["kind"] in ("session", "topic")]
    assert named == [markup.esc(label) for label in offered]


CURRICULUM = Curriculum((Node("a", "A", "A", "c", "D1", 5),), (Track("t", "T", "c", ("a",)),))
EMPTY = ReportData(Curriculum(), [], {}, [], [], {}, [], "2026-01-01T00:00:00Z")


def test_a_report_of_nothing_is_whole():
    text = report_page(EMPTY)
    check(text, Page(text))
    for said in (
        "Nothing is begun yet.",
        "This is your first report.",
        "No reviews yet.",
        "No attempts in the last 12 weeks.",
        "Nothing so far",
        "No attempts and hints yet.",
        "No exercises yet.",
    ):
        assert said in text


class Shouting(gettext.NullTranslations):
    """A catalogue that has everything, in capitals."""

    def gettext(self, message):
        return message.upper()

    def ngettext(self, one, many, count):
        said = (one if count == 1 else many).upper()
        return re.sub(r"\{\w+\}", lambda name: name[0].lower(), said)


def test_every_fixed_text_is_in_the_catalogue():
    speak(Shouting())
    try:
        shown = report_page(replace(EMPTY, curriculum=CURRICULUM, languages=["c"]))
    finally:
        speak(gettext.NullTranslations())
    said = [text for text, tag in Page(shown).texts if tag != "style"]
    said += re.findall(r'aria-label="(.*?)"', shown)
    assert not [text for text in said if text != text.upper()]
    with (LOCALES / "tutor_lsp.pot").open("rb") as file:
        known = {message.id for message in read_po(file)}
    assert {"What to do next", "Reviews", "Due now", "As a table", "Topics of {spoken}"} <= known


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
        "Vectors and what",
        "they are good for …",
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
    assert "0 attempts, 1 hint." in report_page(shown)


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


DAYS = ["2026-11-02T09:00:00Z", "2026-11-03T09:00:00Z", "2026-11-03T14:00:00Z"]


def test_news_begin_where_the_last_report_ended_and_stay_for_a_visit():
    page = report_page(replace(EMPTY, now=DAYS[0]))
    assert last_seen(page, DAYS[1]) == DAYS[0]
    page = report_page(replace(EMPTY, now=DAYS[1], since=DAYS[0]))
    assert last_seen(page, DAYS[2]) == DAYS[0]
    assert last_seen(page, "2026-11-04T09:00:00Z") == DAYS[1]


@pytest.mark.parametrize("odd", ["", "<html>", '<meta name="tutor-made" content="soon">'])
def test_a_page_of_another_kind_tells_nothing_of_a_last_visit(odd):
    assert last_seen(odd, DAYS[0]) is None
    assert last_seen(report_page(replace(EMPTY, now=DAYS[1])), DAYS[0]) is None


def test_only_what_happened_since_is_new():
    event = {"session": "s", "kind": "attempt", "data": {"passed": 0, "total": 3}}
    shown = replace(EMPTY, events=[{**event, "at": at} for at in DAYS[:2]], now=DAYS[2])
    assert "2 attempts, 0 hints." in report_page(shown)
    assert "1 attempt, 0 hints." in report_page(replace(shown, since=DAYS[0]))
    assert "Nothing yet since 2026-11-03" in report_page(replace(shown, since=DAYS[1]))


def test_weeks_are_counted_from_monday_in_the_learners_zone(in_zone):
    in_zone("Pacific/Auckland")
    passed = {"session": "s", "kind": "attempt", "data": {"outcome": "passed", "total": 3}}
    # In Auckland it is Monday already.
    events = [{**passed, "at": "2026-11-22T12:00:00Z"}, {**passed, "at": "2026-08-01T12:00:00Z"}]
    page = report_page(replace(EMPTY, events=events, now="2026-11-23T12:00:00Z"))
    assert "<title>2026-11-23: 1 passed, 0 not yet</title>" in page
    assert "2026-11-16: 0 passed" in page
    assert "2026-07" not in page.partition("part-weak")[0]


def test_nothing_on_the_page_moves():
    assert re.search(r"<style>[^<]+\{", report_page(EMPTY))
    moves = r"animat|transition|@keyframes|scroll-behavior|<script|<marquee"
    assert re.search(moves, report_page(replace(EMPTY, curriculum=CURRICULUM))) is None
