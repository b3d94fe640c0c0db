//! Bar charts for the terminal. What can be drawn is not a list of types but a trait: whatever can
//! say its name and its size gets a bar.

pub mod titled;

/// How many signs the longest bar of a chart may have.
pub const WIDTH: usize = 40;

/// A trip, as it stands in the logbook of a car.
#[derive(Debug, PartialEq, Eq)]
pub struct Trip {
    /// Where it went.
    pub to: String,
    /// What the car's counter showed before.
    pub start_km: usize,
    /// What it showed afterwards, never less than before.
    pub end_km: usize,
}

/// How a trip keeps the promises of `Measured`, which stands right below.
impl Measured for Trip {
    fn label(&self) -> String {
        self.to.clone()
    }

    /// The kilometres driven on this trip.
    ///
    /// ex-1 - First principle: an impl keeps a trait's promise
    /// Read: LESSON.md, "A promise, and who keeps it"
    /// Test: test_amount_of_a_trip_is_its_length
    /// Start here: the counter says how far the car has ever gone, before and
    ///     after
    fn amount(&self) -> usize {
        self.end_km - self.start_km
    }
}

/// Something with a name and a size.
pub trait Measured {
    /// What is written beside its bar.
    fn label(&self) -> String;

    /// Its size, in whatever it is counted.
    fn amount(&self) -> usize;

    /// Its bar: one `#` for every `unit` of the amount. A last unit that is not full counts as a
    /// whole one, so an amount of 7 with a unit of 3 is `"###"`. An amount of 0 has an empty bar.
    /// `unit` is at least 1.
    ///
    /// ex-2 - First principle: a default method builds on the required ones
    /// Read: LESSON.md, "A method for free"
    /// Test: test_bar_has_a_sign_for_every_unit
    /// Start here: ask `self` for the amount, and let a text repeat itself
    fn bar(&self, unit: usize) -> String {
        "#".repeat(self.amount().div_ceil(unit))
    }
}

/// The unit for a chart of these items: the smallest with which no bar has more than `WIDTH` signs.
/// It is at least 1, also if there is no item.
///
/// ex-3 - First principle: a bound asks for an ability
/// Read: LESSON.md, "Any type that can"
/// Test: test_scale_lets_the_longest_bar_fit
/// Start here: find the largest amount, then see how often `WIDTH` goes into
///     it
pub fn scale<T: Measured>(items: &[T]) -> usize {
    let mut most = 0;
    for item in items {
        most = most.max(item.amount());
    }
    most.div_ceil(WIDTH).max(1)
}

/// Numbers that can count things in words.
pub trait Plural {
    /// The number with the right form of the noun.
    fn counted(&self, noun: &str) -> String;
}

impl Plural for usize {
    /// The number and the noun, `"1 bar"`. With any number but 1 the noun gets an `s`: `"3 bars"`,
    /// `"0 bars"`.
    ///
    /// ex-4 - First principle: a trait of yours may extend any type
    /// Read: LESSON.md, "New methods for old types"
    /// Test: test_counted_adds_an_s
    /// Start here: `self` is a reference to the number, compare what it
    ///     points to
    fn counted(&self, noun: &str) -> String {
        if *self == 1 {
            return format!("{self} {noun}");
        }
        format!("{self} {noun}s")
    }
}

/// The whole chart. Each item has a line with its bar, a space, and its label. The last line counts
/// the bars and tells the unit, as `scale` finds it. Every line ends with `'\n'`:
///
/// ```text
/// ######## Bern
/// ### Basel
/// 2 bars, one # is 15
/// ```
///
/// ex-5 - First principle: code for a trait works for every type
/// Read: LESSON.md, "Written once, for all of them"
/// Test: test_chart_draws_a_line_for_each_item
/// Start here: get the unit first, every bar needs it
pub fn chart<T: Measured>(items: &[T]) -> String {
    let unit = scale(items);
    let mut text = String::new();
    for item in items {
        text.push_str(&format!("{} {}\n", item.bar(unit), item.label()));
    }
    let bars = items.len().counted("bar");
    text + &format!("{bars}, one # is {unit}\n")
}
