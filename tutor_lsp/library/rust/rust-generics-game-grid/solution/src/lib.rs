//! A board on squared paper whose fields may hold anything: mines, letters, seats.

use std::fmt;

pub mod high_score;

/// Rows of fields, all rows of the same length. A field is named by its column `x` and its row `y`,
/// both counted from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid<T> {
    /// How many fields a row has, at least 1.
    pub width: usize,
    /// The fields, row after row.
    pub cells: Vec<T>,
}

impl<T> Grid<T> {
    /// A grid of `width` columns and `height` rows in which every field holds `value`.
    ///
    /// ex-1 - First principle: a type parameter stands for any type
    /// Read: LESSON.md, "A type left open"
    /// Test: test_filled_has_all_its_fields
    /// Start here: the macro `vec!` has a form that repeats a value
    pub fn filled(width: usize, height: usize, value: T) -> Grid<T>
    where
        T: Clone,
    {
        Grid {
            width,
            cells: vec![value; width * height],
        }
    }

    /// The value in column `x` of row `y`. There is none outside of the grid, neither to the right
    /// of it nor below.
    ///
    /// ex-2 - First principle: without a bound, a value is only carried
    /// Read: LESSON.md, "Carry it, lend it, ask nothing"
    /// Test: test_at_finds_a_field_by_column_and_row
    /// Start here: how many fields stand before row `y` begins?
    pub fn at(&self, x: usize, y: usize) -> Option<&T> {
        if x >= self.width {
            return None;
        }
        self.cells.get(y * self.width + x)
    }

    /// How many of the neighbours of a field equal `wanted`. Neighbours touch the field at a side
    /// or at a corner, so there are 8 at most, and fewer at the border. The field itself does not
    /// count.
    ///
    /// ex-3 - First principle: a bound names what the body uses
    /// Read: LESSON.md, "Ask for what you use"
    /// Test: test_around_counts_all_eight_neighbours
    /// Start here: walk over the columns and rows next to the field, and ask
    ///     `at` about each
    pub fn around(&self, x: usize, y: usize, wanted: &T) -> usize
    where
        T: PartialEq,
    {
        let mut count = 0;
        for row in y.saturating_sub(1)..=y + 1 {
            for column in x.saturating_sub(1)..=x + 1 {
                if (column, row) != (x, y) && self.at(column, row) == Some(wanted) {
                    count += 1;
                }
            }
        }
        count
    }

    /// A grid of the same shape with other values: each is what `change` makes of the column, the
    /// row and the old value of its field.
    ///
    /// ex-4 - First principle: a second parameter for a second type
    /// Read: LESSON.md, "From one type to another"
    /// Test: test_mapped_changes_every_value
    /// Start here: walk over the cells with their index, and work out where
    ///     each of them lies
    pub fn mapped<U>(&self, change: impl Fn(usize, usize, &T) -> U) -> Grid<U> {
        let mut cells = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            cells.push(change(index % self.width, index / self.width, cell));
        }
        Grid {
            width: self.width,
            cells,
        }
    }

    /// The grid as text: the values of a row without anything between them, and `'\n'` behind every
    /// row.
    ///
    /// ex-5 - First principle: a bound may hold for one method only
    /// Read: LESSON.md, "Only for those who need it"
    /// Test: test_show_writes_row_after_row
    /// Start here: `chunks` cuts the cells into rows
    pub fn show(&self) -> String
    where
        T: fmt::Display,
    {
        let mut text = String::new();
        for row in self.cells.chunks(self.width) {
            for cell in row {
                text.push_str(&cell.to_string());
            }
            text.push('\n');
        }
        text
    }
}
