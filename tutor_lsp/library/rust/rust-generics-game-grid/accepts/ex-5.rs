/// Any grid.
pub fn accepts<T>(grid: &Grid<T>) -> bool {
    is_grid(grid)
}

fn is_grid<T>(grid: &Grid<T>) -> bool {
    grid.width >= 1 && grid.cells.len() % grid.width == 0
}
