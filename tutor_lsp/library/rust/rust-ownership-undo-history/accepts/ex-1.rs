/// Any text.
pub fn accepts(_text: &str) -> bool {
    true
}
