//! Who may ride.

const ALONE: u32 = 120;
const WITH_ADULT: u32 = 100;
const TALLEST: u32 = 195;

/// Whether somebody of this height may ride: from 120 cm on alone, from 100 cm on with an adult.
/// Above 195 cm nobody may.
pub fn may_ride(cm: u32, with_adult: bool) -> bool {
    let least = if with_adult { WITH_ADULT } else { ALONE };
    (least..=TALLEST).contains(&cm)
}
