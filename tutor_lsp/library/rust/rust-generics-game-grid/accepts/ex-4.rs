/// Any grid and any change.
pub fn accepts<T, U>(grid: &Grid<T>, _change: &impl Fn(usize, usize, &T) -> U) -> bool {
    is_grid(grid)
}

fn is_grid<T>(grid: &Grid<T>) -> bool {
    grid.width >= 1 && grid.cells.len() % grid.width == 0
}
