"""No mark and no answer is about another text, whatever happens in whatever order."""

import pytest
from interleaving import Play


def play(home, seed, rounds):
    playing = Play(home, seed)
    try:
        for _ in range(rounds):
            playing.round()
    finally:
        playing.close()
    assert playing.rounds == rounds
    assert playing.complaints == []


@pytest.mark.long("plays a server by chance; test_one_truth.py has what came of it")
@pytest.mark.first(1)
@pytest.mark.parametrize("seed", [11, 12])
def test_marks_and_answers_belong_to_the_saved_text(tmp_path, seed):
    play(tmp_path / "home", seed, 4)


@pytest.mark.long("plays ninety rounds")
@pytest.mark.parametrize("seed", range(1000, 1006))
def test_marks_and_answers_belong_to_the_saved_text_in_many_orders(tmp_path, seed):
    play(tmp_path / "home", seed, 15)
