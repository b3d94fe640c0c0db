from exercise.disk import HOME, Item, files, find, large, total, tree

A, B, C = Item("a", 5), Item("b", 7), Item("c", 30)
BACKUP = Item("backup", inside=(A, B))
DEEP = Item("deep", inside=(Item("x", inside=(Item("y", inside=(C, BACKUP)),)), A))


def test_total_of_a_file_is_its_size() -> None:
    assert total(C) == 30


def test_total_adds_up_a_folder() -> None:
    assert total(BACKUP) == 12


def test_total_goes_down_to_any_depth() -> None:
    assert total(DEEP) == 47
    assert total(HOME) == 2197


def test_files_of_a_file_is_its_name() -> None:
    assert files(A) == ["a"]


def test_files_lists_a_folder_in_order() -> None:
    assert files(Item("backup", inside=(B, C, A))) == ["backup/b", "backup/c", "backup/a"]


def test_files_puts_all_folders_into_the_path() -> None:
    assert files(DEEP) == ["deep/x/y/c", "deep/x/y/backup/a", "deep/x/y/backup/b", "deep/a"]


def test_files_starts_anew_with_every_call() -> None:
    assert files(BACKUP) == ["backup/a", "backup/b"]
    assert files(BACKUP) == ["backup/a", "backup/b"]


def test_find_looks_at_the_item_first() -> None:
    assert find(A, "a") == "a"
    assert find(Item("same", inside=(Item("same", 1),)), "same") == "same"


def test_find_goes_down_to_any_depth() -> None:
    assert find(DEEP, "b") == "deep/x/y/backup/b"
    assert find(HOME, "trip") == "home/photos/trip"


def test_find_takes_the_first_one() -> None:
    assert find(HOME, "film.mp4") == "home/photos/trip/film.mp4"
    assert find(Item("z", inside=(Item("q", inside=(A,)), A)), "a") == "z/q/a"


def test_find_is_empty_if_there_is_none() -> None:
    assert find(DEEP, "cat.jpg") == ""
    assert find(HOME, "cat.jpg") == "home/photos/cat.jpg"


def test_large_leaves_small_files_out() -> None:
    assert large(Item("backup", inside=(A, C, B)), 7) == Item("backup", inside=(C, B))
    assert large(BACKUP, 100) == Item("backup")


def test_large_keeps_what_is_just_large_enough() -> None:
    assert large(Item("out", inside=(BACKUP, A)), 12) == Item("out", inside=(Item("backup"),))
    assert large(A, 100) == Item("a", 5)


def test_large_cuts_at_any_depth() -> None:
    assert large(DEEP, 7) == Item(
        "deep",
        inside=(Item("x", inside=(Item("y", inside=(C, Item("backup", inside=(B,)))),)),),
    )


def test_tree_of_a_file_is_one_line() -> None:
    assert tree(C) == ["c 30"]


def test_tree_indents_each_level() -> None:
    assert tree(Item("out", inside=(Item("in", inside=(A,)),))) == ["out 5", "  in 5", "    a 5"]


def test_tree_puts_the_largest_first() -> None:
    assert tree(Item("out", inside=(BACKUP, A, Item("d", 12), C))) == [
        "out 59",
        "  c 30",
        "  backup 12",
        "    b 7",
        "    a 5",
        "  d 12",
        "  a 5",
    ]


def test_tree_begins_at_the_given_level() -> None:
    assert tree(BACKUP, 2) == ["    backup 12", "      b 7", "      a 5"]
