use exercise::{Measured, Plural, Trip, WIDTH, chart, scale};

/// A pile of books: a type that the chart has never seen.
struct Pile(&'static str, usize);

impl Measured for Pile {
    fn label(&self) -> String {
        self.0.to_string()
    }

    fn amount(&self) -> usize {
        self.1
    }
}

/// A type that draws its bar in its own way.
struct Train(usize);

impl Measured for Train {
    fn label(&self) -> String {
        "train".to_string()
    }

    fn amount(&self) -> usize {
        self.0
    }

    fn bar(&self, unit: usize) -> String {
        format!("{}>", "=".repeat(self.0 / unit))
    }
}

/// A line of the logbook, for the tests to start from.
fn trip(to: &str, start_km: usize, end_km: usize) -> Trip {
    Trip {
        to: to.to_string(),
        start_km,
        end_km,
    }
}

#[test]
fn test_amount_of_a_trip_is_its_length() {
    assert_eq!(trip("Bern", 12_000, 12_118).amount(), 118);
    assert_eq!(trip("Rome", 12_118, 12_984).amount(), 866);
}

#[test]
fn test_amount_of_a_trip_counts_from_its_start() {
    assert_eq!(trip("Bern", 0, 118).amount(), 118);
    assert_eq!(trip("nowhere", 500, 500).amount(), 0);
}

#[test]
fn test_bar_has_a_sign_for_every_unit() {
    assert_eq!(Pile("poems", 4).bar(1), "####");
    assert_eq!(Pile("novels", 12).bar(4), "###");
}

#[test]
fn test_bar_counts_a_unit_that_is_not_full() {
    assert_eq!(Pile("novels", 7).bar(3), "###");
    assert_eq!(Pile("novels", 1).bar(50), "#");
}

#[test]
fn test_bar_of_nothing_is_empty() {
    assert_eq!(Pile("poems", 0).bar(5), "");
    assert_eq!(Pile("poems", 5).bar(5), "#");
}

#[test]
fn test_scale_lets_the_longest_bar_fit() {
    assert_eq!(scale(&[Pile("novels", 3 * WIDTH)]), 3);
    assert_eq!(scale(&[Pile("novels", 3 * WIDTH + 1)]), 4);
}

#[test]
fn test_scale_looks_at_every_item() {
    let piles = [
        Pile("poems", 10),
        Pile("novels", 2 * WIDTH),
        Pile("maps", 0),
    ];
    assert_eq!(scale(&piles), 2);
    assert_eq!(scale(&[Train(90), Train(200)]), 5);
}

#[test]
fn test_scale_is_at_least_one() {
    let none: [Pile; 0] = [];
    assert_eq!(scale(&none), 1);
    assert_eq!(scale(&[Pile("poems", 0)]), 1);
    assert_eq!(scale(&[Pile("poems", WIDTH)]), 1);
    assert_eq!(scale(&[Pile("poems", WIDTH + 1)]), 2);
}

#[test]
fn test_counted_adds_an_s() {
    assert_eq!(3_usize.counted("bar"), "3 bars");
    assert_eq!(0_usize.counted("trip"), "0 trips");
    assert_eq!(11_usize.counted("trip"), "11 trips");
}

#[test]
fn test_counted_of_one_is_singular() {
    assert_eq!(1_usize.counted("bar"), "1 bar");
    assert_eq!(1_usize.counted("trip"), "1 trip");
}

#[test]
fn test_chart_draws_a_line_for_each_item() {
    let piles = [Pile("poems", 2), Pile("novels", 5), Pile("maps", 0)];
    assert_eq!(
        chart(&piles),
        "## poems\n##### novels\n maps\n3 bars, one # is 1\n"
    );
    assert_eq!(
        chart(&[Pile("novels", 15 * WIDTH)]),
        format!("{} novels\n1 bar, one # is 15\n", "#".repeat(WIDTH))
    );
}

#[test]
fn test_chart_of_nothing_has_only_the_last_line() {
    let none: [Pile; 0] = [];
    assert_eq!(chart(&none), "0 bars, one # is 1\n");
}

#[test]
fn test_chart_asks_each_item_for_its_own_bar() {
    assert_eq!(chart(&[Train(3)]), "===> train\n1 bar, one # is 1\n");
}

#[test]
fn test_chart_draws_trips() {
    let logbook = [trip("Bern", 1_000, 1_120), trip("Basel", 1_120, 1_165)];
    let bern = "#".repeat(40);
    let basel = "#".repeat(15);
    assert_eq!(
        chart(&logbook),
        format!("{bern} Bern\n{basel} Basel\n2 bars, one # is 3\n")
    );
}
