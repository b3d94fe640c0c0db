/// Any time.
pub fn accepts(seconds: u64) -> bool {
    true
}
