// The detective's notebook: names of the log, each of them once, and none is
// copied. `Notebook::empty()` has none. `book.note("ada")` writes a name down
// unless it is there already, and says whether it was new. `book.latest()` is
// the one that was written down last: after `note("ada")`, `note("lin")` and
// `note("ada")` it is `Some("lin")`, and in an empty notebook `None`. The
// notebook may go; what it gave is a view of the log and stays.
//
// ex-6 - First principle: from field to answer, one lifetime
// Read: LESSON.md, "A type that keeps views"
// Test: test_notebook_keeps_views_of_the_log
// Start here: who owns the letters of a name that the notebook keeps?

pub struct Notebook<'log> {
    names: Vec<&'log str>,
}

impl<'log> Notebook<'log> {
    pub fn empty() -> Notebook<'log> {
        Notebook { names: Vec::new() }
    }

    pub fn note(&mut self, name: &'log str) -> bool {
        let new = !self.names.contains(&name);
        if new {
            self.names.push(name);
        }
        new
    }

    pub fn latest(&self) -> Option<&'log str> {
        self.names.last().copied()
    }
}
