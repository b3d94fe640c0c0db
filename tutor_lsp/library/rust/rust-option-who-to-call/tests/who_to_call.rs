use exercise::{Person, RESCUE, Register};

/// A hiker, for the tests to start from.
fn person(name: &str, phone: Option<u32>, stand_in: Option<&str>) -> Person {
    Person {
        name: name.to_string(),
        phone,
        stand_in: stand_in.map(|other| other.to_string()),
    }
}

/// A tour of five. Ada has a phone, Lin and Tom have not, Eve named somebody who stayed at home.
fn tour() -> Register {
    Register {
        people: vec![
            person("Ada", Some(5512), Some("Lin")),
            person("Lin", None, Some("Ada")),
            person("Tom", None, Some("Lin")),
            person("Ann", Some(7000), None),
            person("Eve", None, Some("Grandma")),
        ],
    }
}

#[test]
fn test_number_to_dial_is_the_own_number() {
    assert_eq!(person("Ada", Some(5512), None).number_to_dial(), 5512);
    assert_eq!(
        person("Ann", Some(7000), Some("Ada")).number_to_dial(),
        7000
    );
}

#[test]
fn test_number_to_dial_without_a_phone_is_mountain_rescue() {
    assert_eq!(person("Lin", None, Some("Ada")).number_to_dial(), RESCUE);
}

#[test]
fn test_badge_shows_name_and_number() {
    assert_eq!(
        person("Ada", Some(5512), None).badge(),
        Some("Ada, call 5512".to_string())
    );
}

#[test]
fn test_badge_needs_a_phone() {
    assert_eq!(person("Lin", None, Some("Ada")).badge(), None);
    assert!(person("Ann", Some(7000), None).badge().is_some());
    let named = person("Ann", Some(7000), None).badge();
    assert_eq!(named.as_deref(), Some("Ann, call 7000"));
}

#[test]
fn test_find_points_at_the_person() {
    let tour = tour();
    assert_eq!(tour.find("Lin"), Some(&tour.people[1]));
    assert_eq!(tour.find("Eve"), Some(&tour.people[4]));
    assert_eq!(tour.find("Ada"), Some(&tour.people[0]));
}

#[test]
fn test_find_says_when_there_is_nobody() {
    let tour = tour();
    assert_eq!(tour.find("Grandma"), None);
    assert_eq!(Register { people: vec![] }.find("Ada"), None);
    assert_eq!(tour.find("Tom"), Some(&tour.people[2]));
}

#[test]
fn test_find_wants_the_whole_name() {
    let tour = tour();
    assert_eq!(tour.find("An"), None);
    assert_eq!(tour.find(""), None);
    assert_eq!(tour.find("Ann"), Some(&tour.people[3]));
}

#[test]
fn test_stand_in_is_the_person_named() {
    let tour = tour();
    assert_eq!(tour.stand_in(&tour.people[0]), Some(&tour.people[1]));
    assert_eq!(tour.stand_in(&tour.people[2]), Some(&tour.people[1]));
}

#[test]
fn test_stand_in_when_nobody_was_named() {
    let tour = tour();
    assert_eq!(tour.stand_in(&tour.people[3]), None);
    assert_eq!(tour.stand_in(&tour.people[1]), Some(&tour.people[0]));
}

#[test]
fn test_stand_in_who_is_not_in_the_register() {
    let tour = tour();
    assert_eq!(tour.stand_in(&tour.people[4]), None);
    let guest = person("Kim", None, Some("Ann"));
    assert_eq!(tour.stand_in(&guest), Some(&tour.people[3]));
}

#[test]
fn test_reach_takes_the_own_number_first() {
    assert_eq!(tour().reach("Ann"), Some(7000));
    let both = Register {
        people: vec![
            person("Ada", Some(5512), Some("Ann")),
            person("Ann", Some(7000), None),
        ],
    };
    assert_eq!(both.reach("Ada"), Some(5512));
}

#[test]
fn test_reach_falls_back_on_the_stand_in() {
    assert_eq!(tour().reach("Lin"), Some(5512));
}

#[test]
fn test_reach_has_no_number_without_a_phone() {
    assert_eq!(tour().reach("Tom"), None);
    assert_eq!(tour().reach("Eve"), None);
    assert_eq!(tour().reach("Lin"), Some(5512));
}

#[test]
fn test_reach_knows_only_people_of_the_register() {
    assert_eq!(tour().reach("Grandma"), None);
    assert_eq!(tour().reach("Ada"), Some(5512));
}
