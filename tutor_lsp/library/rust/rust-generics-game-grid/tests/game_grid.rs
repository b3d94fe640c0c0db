use exercise::Grid;

/// A value that can neither be cloned nor compared nor displayed.
struct Ghost(u32);

/// A grid of three columns, for the tests to start from.
fn three<T>(cells: Vec<T>) -> Grid<T> {
    Grid { width: 3, cells }
}

#[test]
fn test_filled_has_all_its_fields() {
    assert_eq!(Grid::filled(3, 2, 7), three(vec![7, 7, 7, 7, 7, 7]));
    assert_eq!(Grid::filled(3, 1, 'x'), three(vec!['x', 'x', 'x']));
    assert_eq!(Grid::filled(1, 4, 0).cells, [0, 0, 0, 0]);
}

#[test]
fn test_filled_works_for_any_type_that_can_be_cloned() {
    assert_eq!(Grid::filled(2, 1, String::from("a")).cells, ["a", "a"]);
    assert_eq!(Grid::filled(2, 1, Some(0.5)).cells, [Some(0.5), Some(0.5)]);
}

#[test]
fn test_at_finds_a_field_by_column_and_row() {
    let grid = three(vec![1, 2, 3, 4, 5, 6]);
    assert_eq!(grid.at(0, 0), Some(&1));
    assert_eq!(grid.at(2, 0), Some(&3));
    assert_eq!(grid.at(1, 1), Some(&5));
}

#[test]
fn test_at_right_of_the_grid_is_nothing() {
    let grid = three(vec![1, 2, 3, 4, 5, 6]);
    assert_eq!(grid.at(5, 0), None);
    assert_eq!(grid.at(3, 0), None);
    assert_eq!(grid.at(0, 1), Some(&4));
}

#[test]
fn test_at_below_the_grid_is_nothing() {
    let grid = three(vec![1, 2, 3, 4, 5, 6]);
    assert_eq!(grid.at(0, 2), None);
    assert_eq!(grid.at(2, 9), None);
    assert_eq!(grid.at(2, 1), Some(&6));
}

#[test]
fn test_at_asks_nothing_of_the_type() {
    let house = three(vec![Ghost(1), Ghost(2), Ghost(3)]);
    assert_eq!(house.at(1, 0).map(|ghost| ghost.0), Some(2));
}

#[test]
fn test_around_counts_all_eight_neighbours() {
    let grid = three(vec![1, 1, 1, 1, 0, 1, 1, 1, 1]);
    assert_eq!(grid.around(1, 1, &1), 8);
    let grid = three(vec![1, 0, 0, 0, 0, 1, 0, 1, 0]);
    assert_eq!(grid.around(1, 1, &1), 3);
}

#[test]
fn test_around_leaves_out_the_field_itself() {
    let grid = three(vec![0, 0, 0, 0, 1, 1, 0, 0, 0]);
    assert_eq!(grid.around(1, 1, &1), 1);
    assert_eq!(grid.around(1, 1, &0), 7);
}

#[test]
fn test_around_copes_with_corners() {
    let grid = three(vec![1, 1, 0, 1, 1, 1, 1, 1, 1]);
    assert_eq!(grid.around(0, 0, &1), 3);
    assert_eq!(grid.around(2, 2, &1), 3);
    assert_eq!(grid.around(2, 0, &1), 3);
    assert_eq!(grid.around(0, 1, &1), 5);
}

#[test]
fn test_around_compares_any_type() {
    let seats = three(vec!["Ada", "free", "free", "free", "Lin", "free"]);
    assert_eq!(seats.around(0, 0, &"free"), 2);
    let heights = three(vec![0.5, 1.5, 0.5]);
    assert_eq!(heights.around(1, 0, &0.5), 2);
}

#[test]
fn test_mapped_changes_every_value() {
    let grid = three(vec![1, 2, 3, 4, 5, 6]);
    assert_eq!(
        grid.mapped(|_, _, cell| cell * 10),
        three(vec![10, 20, 30, 40, 50, 60])
    );
}

#[test]
fn test_mapped_may_change_the_type() {
    let mines = three(vec![false, true, false]);
    assert_eq!(
        mines.mapped(|_, _, mine| if *mine { '*' } else { '.' }),
        three(vec!['.', '*', '.'])
    );
    let house = three(vec![Ghost(1), Ghost(2), Ghost(3)]);
    assert_eq!(
        house.mapped(|_, _, ghost| ghost.0 > 1),
        three(vec![false, true, true])
    );
}

#[test]
fn test_mapped_tells_column_and_row() {
    let grid = three(vec!['a', 'b', 'c', 'd', 'e', 'f']);
    assert_eq!(
        grid.mapped(|x, y, cell| format!("{cell}{x}{y}")).cells,
        ["a00", "b10", "c20", "d01", "e11", "f21"]
    );
    let tall = Grid {
        width: 1,
        cells: vec![5, 6],
    };
    assert_eq!(
        tall.mapped(|x, y, cell| (x, y, *cell)).cells,
        [(0, 0, 5), (0, 1, 6)]
    );
}

#[test]
fn test_show_writes_row_after_row() {
    assert_eq!(
        three(vec!['.', '*', '.', '*', '.', '.']).show(),
        ".*.\n*..\n"
    );
    assert_eq!(three(vec!['x', 'o', 'x']).show(), "xox\n");
}

#[test]
fn test_show_writes_whatever_can_be_displayed() {
    assert_eq!(three(vec![1, 20, 3]).show(), "1203\n");
    let words = Grid {
        width: 2,
        cells: vec!["so ", "it", "is ", "ok"],
    };
    assert_eq!(words.show(), "so it\nis ok\n");
}
