/// A field of the grid.
pub fn accepts<T>(grid: &Grid<T>, x: usize, y: usize, _wanted: &T) -> bool {
    is_grid(grid) && x < grid.width && y < grid.cells.len() / grid.width
}

fn is_grid<T>(grid: &Grid<T>) -> bool {
    grid.width >= 1 && grid.cells.len() % grid.width == 0
}
