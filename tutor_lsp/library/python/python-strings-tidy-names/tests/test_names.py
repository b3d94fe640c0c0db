from exercise.names import clean, dashed, extension, new_name, shorten


def test_clean_drops_spaces_at_both_ends() -> None:
    assert clean("  porto  ") == "porto"


def test_clean_makes_letters_small() -> None:
    assert clean("Summer in PORTO") == "summer in porto"
    assert clean("Ærø") == "ærø"
    assert clean("Gießen") == "gießen"


def test_clean_leaves_inner_spaces() -> None:
    assert clean(" day  one ") == "day  one"


def test_dashed_puts_dashes_between_words() -> None:
    assert dashed("summer in porto") == "summer-in-porto"
    assert dashed("Porto") == "Porto"


def test_dashed_takes_many_spaces_as_one() -> None:
    assert dashed("summer   in  porto") == "summer-in-porto"


def test_dashed_separates_at_underscores() -> None:
    assert dashed("summer_in_porto") == "summer-in-porto"
    assert dashed("summer_ in porto") == "summer-in-porto"


def test_shorten_keeps_the_first_characters() -> None:
    assert shorten("lunch-in-lisbon", 5) == "lunch"
    assert shorten("lunch-in-lisbon", 8) == "lunch-in"


def test_shorten_drops_a_dash_at_the_end() -> None:
    assert shorten("lunch-in-lisbon", 6) == "lunch"
    assert shorten("lunch-in-lisbon", 9) == "lunch-in"
    assert shorten("porto-", 20) == "porto"
    assert shorten("-porto", 4) == "-por"


def test_shorten_leaves_short_names_whole() -> None:
    assert shorten("porto", 20) == "porto"


def test_extension_is_the_part_after_the_last_dot() -> None:
    assert extension("porto.jpg") == "jpg"
    assert extension("porto.best.one.jpeg") == "jpeg"


def test_extension_is_in_small_letters() -> None:
    assert extension("IMG_4711.JPG") == "jpg"
    assert extension("plan.Maß") == "maß"


def test_extension_without_a_dot_is_the_default() -> None:
    assert extension("README") == "txt"


def test_new_name_joins_title_and_extension() -> None:
    assert new_name("  Summer in Porto ", "IMG_4711.JPG") == "summer-in-porto.jpg"
    assert new_name("Trip_ideas", "scan") == "trip-ideas.txt"


def test_new_name_cuts_long_titles() -> None:
    assert new_name("Summer in the Azores with Ana", "clip.MOV") == "summer-in-the-azores.mov"


def test_new_name_never_ends_in_a_dash() -> None:
    assert new_name("Notes from our walk uphill", "a.txt") == "notes-from-our-walk.txt"


def test_new_name_measures_after_tidying_up() -> None:
    assert new_name("Lunch       with       Mum", "IMG_12.png") == "lunch-with-mum.png"
