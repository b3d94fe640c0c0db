//! Finds out who fills the log of a server. The log is one long text, and nothing of it is copied:
//! every clue is a view into it.
//!
//! A line of the log is an entry if it looks like this. The text behind the colon may hold fields,
//! words of the form `name=value`.
//!
//! ```text
//! 12:03:55 web: login user=ada from=10.0.0.7
//! ```

pub mod notebook;

/// Of two times the later one. Times are written `12:03:55`, so the later one is also the one that
/// comes later in the alphabet.
///
/// ex-1 - First principle: a lifetime ties the answer to its inputs
/// Read: LESSON.md, "Where does it come from?"
/// Test: test_later_is_the_time_that_comes_last
/// Start here: texts can be compared like numbers
pub fn later<'log>(one: &'log str, other: &'log str) -> &'log str {
    let _ = (one, other);
    todo!("later")
}

/// The value of the field called `name`, if the text has one. Fields are words, so they stand
/// between spaces or at an end. The name is everything before the first `=` of the word, the value
/// everything behind it. If there are several such fields, the first one counts.
///
/// ex-2 - First principle: tie the answer only to where it comes from
/// Read: LESSON.md, "From this one, not from that one"
/// Test: test_field_finds_the_value
/// Start here: go along the words of the text, and split each at its first
///     `=`
pub fn field<'text>(text: &'text str, name: &str) -> Option<&'text str> {
    let _ = (text, name);
    todo!("field")
}

/// An entry of the log: three views into its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'log> {
    /// When it was written.
    pub time: &'log str,
    /// Which program wrote it.
    pub source: &'log str,
    /// What it says.
    pub text: &'log str,
}

impl<'log> Entry<'log> {
    /// Reads a line. The time goes up to the first space, the source from there up to the first
    /// colon with a space behind it, and all the rest is the text. A line that lacks one of these
    /// marks is no entry.
    ///
    /// ex-3 - First principle: a struct with a view has a lifetime
    /// Read: LESSON.md, "A struct that looks elsewhere"
    /// Test: test_parse_takes_a_line_apart
    /// Start here: split off the time, the rest is a smaller problem of the
    ///     same kind
    pub fn parse(line: &'log str) -> Option<Entry<'log>> {
        let _ = line;
        todo!("parse")
    }
}

/// A search for the entries that have a field. It remembers how far it has come.
#[derive(Debug)]
pub struct Search<'log, 'name> {
    /// The lines that were not looked at yet.
    pub rest: &'log str,
    /// The field that is looked for.
    pub name: &'name str,
}

impl<'log, 'name> Search<'log, 'name> {
    /// A search through all of `log` for the field called `name`. Ready to use.
    pub fn new(log: &'log str, name: &'name str) -> Search<'log, 'name> {
        Search { rest: log, name }
    }

    /// The next entry that has the field. Lines that are no entries are skipped, and so are entries
    /// without the field. Each call goes on where the one before has stopped, and after the last
    /// line there is nothing more. Lines are separated by `'\n'`; the last one may go without.
    ///
    /// ex-4 - First principle: different lives, different lifetimes
    /// Read: LESSON.md, "Two lives in one struct"
    /// Test: test_next_hit_finds_entries_with_the_field
    /// Start here: cut the first line off `rest`, and move `rest` on before
    ///     you look at the line
    pub fn next_hit(&mut self) -> Option<Entry<'log>> {
        let _ = self;
        todo!("next_hit")
    }
}

/// What is known about one value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally<'log> {
    /// The value.
    pub value: &'log str,
    /// How many entries have it.
    pub count: usize,
    /// The latest time of these entries, wherever in the log it stands.
    pub last: &'log str,
}

/// The value that the field called `name` has most often in the log. In a tie it is the value that
/// the log mentions first. There is none if no entry has the field.
///
/// ex-5 - First principle: a view outlives the collection that held it
/// Read: LESSON.md, "The view leaves, the vector stays"
/// Test: test_top_is_the_value_with_most_entries
/// Start here: keep a tally for each value in a vector, in the order in which
///     they turn up
pub fn top<'log>(log: &'log str, name: &str) -> Option<Tally<'log>> {
    let _ = (log, name);
    todo!("top")
}
