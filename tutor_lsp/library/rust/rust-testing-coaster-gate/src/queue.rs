//! The queue of the roller coaster. This program is given: read it, and leave it as it is.

const SEATS: u32 = 6;
const MINUTES: u32 = 4;

/// How many trains these groups fill, one after the other. The people of a group ride together.
pub fn fill(groups: &[u32]) -> u32 {
    let mut count = 1;
    let mut free = SEATS;
    for group in groups {
        if *group > free {
            count += 1;
            free = SEATS;
        }
        free -= group;
    }
    count
}

/// How many minutes somebody waits who has so many people in front, all of them alone.
pub fn wait(people: u32) -> u32 {
    let full = people / SEATS;
    full * MINUTES
}
