// The light at the gate. `shown(true, 2)`, for a train with 2 free seats, is `Light::Green`.
// A full train gives `Light::Yellow`, and none at all `Light::Red`. `opens(&light)` says whether
// the gate opens: for green alone. Callers may compare lights and print them.
//
// ex-2 - First principle: what is compared must be comparable
// Read: LESSON.md, "What a comparison needs"
// Test: test_light_is_green_with_a_free_seat
// Start here: what can a `Light` not do yet, says the compiler?

#[derive(Debug, PartialEq)]
pub enum Light {
    Green,
    Yellow,
    Red,
}

pub fn shown(train: bool, free: u32) -> Light {
    match (train, free) {
        (false, _) => Light::Red,
        (true, 0) => Light::Yellow,
        (true, _) => Light::Green,
    }
}

pub fn opens(light: &Light) -> bool {
    *light == Light::Green
}
