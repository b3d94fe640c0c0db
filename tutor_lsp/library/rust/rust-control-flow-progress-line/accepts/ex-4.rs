/// Any size.
pub fn accepts(bytes: u64) -> bool {
    true
}
