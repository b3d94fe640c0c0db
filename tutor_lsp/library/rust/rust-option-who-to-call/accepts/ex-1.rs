/// Anybody.
pub fn accepts(_person: &Person) -> bool {
    true
}
