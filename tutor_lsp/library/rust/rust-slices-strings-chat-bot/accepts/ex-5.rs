/// Any line and any history.
pub fn accepts(_line: &str, _history: &[String]) -> bool {
    true
}
