/// Any line.
pub fn accepts(_line: &str) -> bool {
    true
}
