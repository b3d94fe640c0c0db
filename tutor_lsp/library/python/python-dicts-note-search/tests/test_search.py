from exercise.search import NO_NOTE, NOTES, build_index, count_words, find, read, search


def test_read_returns_the_text_of_a_note() -> None:
    assert read(NOTES, "tea") == "Hot water. Wait."
    assert read({"milk": "2 litres"}, "milk") == "2 litres"


def test_read_says_so_if_there_is_no_such_note() -> None:
    assert read(NOTES, "cake") == NO_NOTE
    notes = {"tea": "Wait."}
    assert read(notes, "cake") == NO_NOTE
    assert read(notes, "tea") == "Wait."
    assert notes == {"tea": "Wait."}


def test_count_words_counts_each_word() -> None:
    assert count_words("wait, then wait and wait") == {"wait": 3, "then": 1, "and": 1}


def test_count_words_takes_large_and_small_letters_as_one() -> None:
    assert count_words("Tea! More tea.") == {"tea": 2, "more": 1}


def test_count_words_starts_anew_with_every_text() -> None:
    assert count_words("hot tea") == {"hot": 1, "tea": 1}
    assert count_words("hot soup") == {"hot": 1, "soup": 1}


def test_build_index_leads_from_words_to_titles() -> None:
    assert build_index({"tea": "Hot water."}) == {"hot": {"tea"}, "water": {"tea"}}


def test_build_index_collects_all_titles_of_a_word() -> None:
    assert build_index({"tea": "hot", "soup": "very hot", "pizza": "very, very hot"}) == {
        "hot": {"tea", "soup", "pizza"},
        "very": {"soup", "pizza"},
    }


def test_build_index_leaves_the_notes_unchanged() -> None:
    notes = {"tea": "Hot"}
    assert build_index(notes) == {"hot": {"tea"}}
    assert notes == {"tea": "Hot"}


def test_find_gives_the_notes_with_one_word() -> None:
    assert find({"hot": {"tea", "soup"}, "salt": {"soup"}}, "hot") == {"tea", "soup"}
    assert find({"hot": {"tea", "soup"}, "salt": {"soup"}}, "Salt!") == {"soup"}


def test_find_wants_every_word_of_the_query() -> None:
    assert find({"hot": {"tea", "soup"}, "salt": {"soup", "egg"}}, "hot salt") == {"soup"}
    assert find({"a": {"x", "y", "z"}, "b": {"x", "y"}, "c": {"y", "z"}}, "a b c") == {"y"}


def test_find_is_empty_if_a_word_is_nowhere() -> None:
    assert find({"hot": {"tea"}}, "hot cocoa") == set()
    assert find({"hot": {"tea"}}, "cocoa hot") == set()
    assert find({"hot": {"tea"}}, "hot") == {"tea"}


def test_find_leaves_the_index_unchanged() -> None:
    index = {"hot": {"tea", "soup"}, "salt": {"soup"}}
    assert find(index, "hot salt") == {"soup"}
    assert find(index, "hot cocoa") == set()
    assert find(index, "cocoa") == set()
    assert index == {"hot": {"tea", "soup"}, "salt": {"soup"}}


def test_search_gives_titles_with_every_word() -> None:
    assert search(NOTES, "water salt") == ["bread", "soup"]
    assert search(NOTES, "tomato") == ["pizza", "soup"]


def test_search_puts_the_best_match_first() -> None:
    assert search({"one": "tea", "three": "tea tea tea", "two": "tea, tea"}, "tea") == [
        "three",
        "two",
        "one",
    ]
    assert search({"big": "tea and much more water", "cup": "tea, tea"}, "tea") == ["cup", "big"]
    assert search({"a": "steamed tea", "b": "tea tea"}, "tea") == ["b", "a"]


def test_search_adds_up_all_words_of_the_query() -> None:
    assert search({"a": "hot tea tea", "b": "hot hot hot tea"}, "tea hot") == ["b", "a"]
    assert search({"a": "hot tea tea tea tea", "b": "hot hot tea"}, "tea hot") == ["a", "b"]
