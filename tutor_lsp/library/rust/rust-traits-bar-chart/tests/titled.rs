use exercise::Trip;
use exercise::titled::Titled;

/// A type that knows its title and nothing else.
struct Shelf(&'static str);

impl Titled for Shelf {
    fn title(&self) -> String {
        self.0.to_string()
    }
}

/// A type that wants no line below its title.
struct Note;

impl Titled for Note {
    fn title(&self) -> String {
        "note".to_string()
    }

    fn heading(&self) -> String {
        format!("[{}]\n", self.title())
    }
}

/// The beginning of a page about anything that has a title.
fn page<T: Titled>(about: &T) -> String {
    format!("{}...", about.heading())
}

/// A trip, as the logbook has it.
fn trip(to: &str) -> Trip {
    Trip {
        to: to.to_string(),
        start_km: 0,
        end_km: 120,
    }
}

#[test]
fn test_titled_gives_each_type_a_heading() {
    assert_eq!(Titled::heading(&Shelf("Poems")), "Poems\n=====\n");
    assert_eq!(page(&Shelf("Maps")), "Maps\n====\n...");
}

#[test]
fn test_titled_leaves_the_heading_to_those_who_want() {
    assert_eq!(Titled::heading(&Note), "[note]\n");
    assert_eq!(page(&Note), "[note]\n...");
}

#[test]
fn test_titled_is_kept_by_a_trip() {
    assert_eq!(Titled::title(&trip("Bern")), "Trip to Bern");
    assert_eq!(Titled::title(&trip("Oslo")), "Trip to Oslo");
}

#[test]
fn test_titled_gives_a_trip_its_heading() {
    assert_eq!(Titled::heading(&trip("Ulm")), "Trip to Ulm\n===========\n");
    assert_eq!(page(&trip("Rome")), "Trip to Rome\n============\n...");
}
