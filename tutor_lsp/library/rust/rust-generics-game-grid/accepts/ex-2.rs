/// Any place, on the grid or not.
pub fn accepts<T>(grid: &Grid<T>, x: usize, y: usize) -> bool {
    is_grid(grid) && x <= 1_000_000 && y <= 1_000_000
}

fn is_grid<T>(grid: &Grid<T>) -> bool {
    grid.width >= 1 && grid.cells.len() % grid.width == 0
}
