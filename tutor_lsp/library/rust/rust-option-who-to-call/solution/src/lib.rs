//! A register of hikers, with numbers to call in an emergency. Nobody has to tell everything about
//! themselves, so there are gaps.

/// The number of mountain rescue.
pub const RESCUE: u32 = 140;

/// A hiker on the tour.
#[derive(Debug, PartialEq, Eq)]
pub struct Person {
    /// What they are called, different for each person of a register.
    pub name: String,
    /// Their own number, if they have a phone with them.
    pub phone: Option<u32>,
    /// The name of the person to call in their place, if they named one.
    pub stand_in: Option<String>,
}

impl Person {
    /// The number to dial for this person: their own, or `RESCUE` if they have none.
    ///
    /// ex-1 - First principle: unwrap_or brings a value for the gap
    /// Read: LESSON.md, "A value or a gap"
    /// Test: test_number_to_dial_is_the_own_number
    /// Start here: ask `phone` for its number, and offer one for the gap
    pub fn number_to_dial(&self) -> u32 {
        self.phone.unwrap_or(RESCUE)
    }

    /// What is printed on this person's badge: `"Ada, call 5512"`, with their own number. Without a
    /// phone there is no badge.
    ///
    /// ex-2 - First principle: map changes what is inside
    /// Read: LESSON.md, "Work on what may be there"
    /// Test: test_badge_shows_name_and_number
    /// Start here: turn the number that may be there into a text that may be
    ///     there
    pub fn badge(&self) -> Option<String> {
        self.phone
            .map(|number| format!("{}, call {number}", self.name))
    }
}

/// All hikers of a tour.
#[derive(Debug, PartialEq, Eq)]
pub struct Register {
    /// In the order in which they signed up.
    pub people: Vec<Person>,
}

impl Register {
    /// Points at the person called `name`, if there is one.
    ///
    /// ex-3 - First principle: None says that nothing was found
    /// Read: LESSON.md, "Searching with an honest answer"
    /// Test: test_find_points_at_the_person
    /// Start here: go along the people, and answer as soon as a name fits
    pub fn find(&self, name: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.name == name)
    }

    /// Points at the person to call in place of `person`. There is none if `person` named nobody,
    /// or somebody who is not in the register.
    ///
    /// ex-4 - First principle: ? ends the function at a gap
    /// Read: LESSON.md, "Leave at the first gap"
    /// Test: test_stand_in_is_the_person_named
    /// Start here: get at the name first, without taking it out of `person`
    pub fn stand_in(&self, person: &Person) -> Option<&Person> {
        let name = person.stand_in.as_ref()?;
        self.find(name)
    }

    /// The number at which the person called `name` can be reached: their own, else that of their
    /// stand-in. Stand-ins of a stand-in are not asked. There is no number if nobody has that name,
    /// or if neither of the two has a phone.
    ///
    /// ex-5 - First principle: or_else tries another way
    /// Read: LESSON.md, "If not this way, then that way"
    /// Test: test_reach_takes_the_own_number_first
    /// Start here: find the person, which may be the end of it already
    pub fn reach(&self, name: &str) -> Option<u32> {
        let person = self.find(name)?;
        person.phone.or_else(|| self.stand_in(person)?.phone)
    }
}
