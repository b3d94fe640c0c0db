/// One line.
pub fn accepts(line: &str) -> bool {
    !line.contains('\n')
}
