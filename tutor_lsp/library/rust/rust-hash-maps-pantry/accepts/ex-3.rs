/// At least one piece.
pub fn accepts(pantry: &Pantry, _item: &str, pieces: u32) -> bool {
    is_pantry(pantry) && pieces >= 1
}

/// Nothing has run out, and nothing grows beyond counting.
fn is_pantry(pantry: &Pantry) -> bool {
    pantry.values().all(|pieces| (1..=1_000_000).contains(pieces))
}
