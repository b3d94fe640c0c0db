/// Any bar that fits into memory.
pub fn accepts(filled: u64, width: u64) -> bool {
    width <= 100_000
}
