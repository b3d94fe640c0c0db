"""Note search: find the right note among many, the best match first.

Notes are a dictionary from titles to texts, such as `NOTES`. An index is a dictionary from
words to the titles of the notes with that word. A query is a text with at least one word.
"""

NO_NOTE = "no such note"

NOTES = {
    "bread": "Flour, water and salt. Let the dough rest, then bake it hot.",
    "pizza": "Bread dough with more water. Tomato, basil, cheese. Bake it very, very hot.",
    "soup": "Tomato, onion, water and salt. Cook it slowly.",
    "tea": "Hot water. Wait.",
}


def words(text: str) -> list[str]:
    """Return the words of a text in order, in small letters and without commas, dots and the
    like: "Wait, WAIT!" gives ["wait", "wait"]. (Given: use it wherever you need words.)
    """
    return "".join(char if char.isalnum() else " " for char in text.lower()).split()


def read(notes: dict[str, str], title: str) -> str:
    """Return the text of the note with this title, or `NO_NOTE` if there is
    none.
    ex-1 - First principle: look up with a fallback
    Read: LESSON.md, "Looking up with a fallback"
    Test: test_read_returns_the_text_of_a_note
    Start here: which method of a dictionary takes a key and a fallback?
    """
    raise NotImplementedError("read")


def count_words(text: str) -> dict[str, int]:
    """Return how often each word occurs in the text. Words are what the given
    `words` finds, so "Tea" and "tea" are the same word.
    ex-2 - First principle: read the old value, store the new one
    Read: LESSON.md, "Counting by key"
    Test: test_count_words_counts_each_word
    Start here: which count does a word have that you have never seen before?
    """
    raise NotImplementedError("count_words")


def build_index(notes: dict[str, str]) -> dict[str, set[str]]:
    """Return an index: for each word in the texts of the notes, the set of
    the titles of all notes that contain it. Words that only occur in titles
    do not count. The notes stay unchanged.
    ex-3 - First principle: a collection for every key
    Read: LESSON.md, "A collection for every key"
    Test: test_build_index_leads_from_words_to_titles
    Start here: let each round of the loop give you a title and its text
    """
    raise NotImplementedError("build_index")


def find(index: dict[str, set[str]], query: str) -> set[str]:
    """Return the titles of the notes that contain every word of the query, as
    a set. It is empty if one of the words is not in the index. The index
    stays unchanged.
    ex-4 - First principle: sets narrow down step by step
    Read: LESSON.md, "Narrowing down with sets"
    Test: test_find_gives_the_notes_with_one_word
    Start here: which titles are left after the first word alone?
    """
    raise NotImplementedError("find")


def ranked(scores: dict[str, int]) -> list[str]:
    """Return the titles with the highest score first; equal scores in the order of the alphabet.
    (Given: use it in `search`.)
    """
    return sorted(scores, key=lambda title: (-scores[title], title))


def search(notes: dict[str, str], query: str) -> list[str]:
    """Return the titles of the notes that contain every word of the query,
    `ranked` by score. The score of a note is the sum of how often each word
    of the query occurs in its text.
    ex-5 - First principle: answers of one lookup are keys of the next
    Read: LESSON.md, "From one dictionary to the next"
    Test: test_search_gives_titles_with_every_word
    Start here: let `find` tell you which notes can be in the result
    """
    raise NotImplementedError("search")
