/// A command.
pub fn accepts(line: &str) -> bool {
    line.starts_with(PREFIX)
}
