/// Any note.
pub fn accepts(_note: &Note) -> bool {
    true
}
