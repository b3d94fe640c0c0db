/// Any item, there or not.
pub fn accepts(pantry: &Pantry, _item: &str) -> bool {
    is_pantry(pantry)
}

/// Nothing has run out, and nothing grows beyond counting.
fn is_pantry(pantry: &Pantry) -> bool {
    pantry.values().all(|pieces| (1..=1_000_000).contains(pieces))
}
