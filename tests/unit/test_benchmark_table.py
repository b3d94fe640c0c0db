"""Figures of `make bench`: ratios with quartiles, and what is told of earlier runs."""

import json

import pytest

from benchmarks import history
from benchmarks.table import Figure


def figure(*ratios, what="hover", bar=None):
    return Figure(what, "a bare hover", ratios, [1.0] * len(ratios), bar)


def run(**ratios):
    return {
        "when": "",
        "commit": "",
        "ratios": {f"{k}, of a bare hover": v for k, v in ratios.items()},
    }


def test_a_ratio_is_taken_pair_by_pair():
    found = Figure("save", "pytest", [10, 40, 90], [100, 100, 300])
    assert found.ratio == pytest.approx(0.3)
    assert found.quartiles == pytest.approx((0.2, 0.35))


def test_pairs_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        _ = Figure("save", "pytest", [1, 2], [1]).ratio


@pytest.mark.parametrize(("ratio", "marked"), [(0.9, False), (1.0, False), (1.1, True)])
def test_a_ratio_over_its_bar_is_marked(ratio, marked):
    assert ("!" in figure(ratio, bar=1.0).line()) is marked


def test_a_ratio_without_a_bar_is_never_marked():
    assert "!" not in figure(99.0).line()


def test_a_quarter_over_the_usual_is_told():
    runs = [run(hover=1.0), run(hover=1.2), run(hover=0.8)]
    assert list(history.warnings(runs, [figure(1.25)])) == []
    (said,) = history.warnings(runs, [figure(1.5)])
    assert said.startswith("warning: hover, of a bare hover is 1.50, 1.50 times the usual 1.00")


def test_what_was_usual_long_ago_does_not_count():
    runs = [run(hover=9.0)] * 20 + [run(hover=1.0)] * history.USUAL_OF
    assert len(list(history.warnings(runs, [figure(1.3)]))) == 1


def test_a_figure_that_is_new_is_not_warned_of():
    assert list(history.warnings([run(save=1.0)], [figure(5.0)])) == []


def test_the_history_only_grows_and_survives_a_line_cut_short(tmp_path):
    path = tmp_path / "kept" / "history.jsonl"
    assert history.read(path) == []
    history.note(path, "abc", "2026-01-01T00:00:00+00:00", [figure(1.0)])
    with path.open("a") as file:
        file.write('{"when": "2026')
    history.note(path, "def", "2026-01-02T00:00:00+00:00", [figure(2.0)])
    assert [each["commit"] for each in history.read(path)] == ["abc", "def"]
    assert history.read(path)[1]["ratios"] == {"hover, of a bare hover": 2.0}


def test_a_row_is_plain_json():
    row = json.loads(json.dumps(figure(1.0, 2.0, 3.0, bar=2.5).row()))
    assert row["ratio"] == 2.0
    assert row["quartiles"] == [1.5, 2.5]
    assert row["bar"] == 2.5
