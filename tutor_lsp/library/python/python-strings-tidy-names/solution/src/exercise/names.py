"""Tidy names: "Summer in Porto" and "IMG_4711.JPG" become "summer-in-porto.jpg"."""

MAX_LENGTH = 20  # longest name, without dot and extension
DEFAULT_EXTENSION = "txt"  # for files that have none


def clean(title: str) -> str:
    """Return the title in small letters and without the spaces at its two
    ends. Spaces between the words stay as they are.
    ex-1 - First principle: a method gives back a new text
    Read: LESSON.md, "Methods give back a new text"
    Test: test_clean_drops_spaces_at_both_ends
    Start here: which method takes the spaces off both ends?
    """
    return title.strip().lower()


def dashed(title: str) -> str:
    """Return the words of the title with one dash between them: "a  b_c"
    becomes "a-b-c". Words are separated by underscores and by spaces, however
    many in a row. Letters stay as they are.
    ex-2 - First principle: split apart, join together
    Read: LESSON.md, "Split apart, join together"
    Test: test_dashed_puts_dashes_between_words
    Start here: make the underscores go away before you look for words
    """
    words = title.replace("_", " ").split()
    return "-".join(words)


def shorten(name: str, limit: int) -> str:
    """Return the first `limit` characters of the name, or all of it if it is
    not longer. If the result would end in a dash, leave that dash out.
    ex-3 - First principle: a slice copies a part
    Read: LESSON.md, "A slice of text"
    Test: test_shorten_keeps_the_first_characters
    Start here: write the slice from the beginning up to `limit`
    """
    return name[:limit].rstrip("-")


def extension(file: str) -> str:
    """Return what stands after the last dot of a file name, in small letters:
    "jpg" for "IMG_4711.JPG". If there is no dot, return `DEFAULT_EXTENSION`.
    ex-4 - First principle: index -1 is the last one
    Read: LESSON.md, "Ask first, then take the last"
    Test: test_extension_is_the_part_after_the_last_dot
    Start here: is there a dot in `file` at all?
    """
    if "." not in file:
        return DEFAULT_EXTENSION
    return file.split(".")[-1].lower()


def new_name(title: str, file: str) -> str:
    """Return a tidy name for `file`: the title, cleaned, dashed and shortened
    to `MAX_LENGTH`, then a dot and the extension of `file`.
    ex-5 - First principle: each step feeds the next
    Read: LESSON.md, "One step feeds the next"
    Test: test_new_name_joins_title_and_extension
    Start here: hand the title to `clean` and give the answer a name
    """
    name = dashed(clean(title))
    return f"{shorten(name, MAX_LENGTH)}.{extension(file)}"
