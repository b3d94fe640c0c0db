/// Any sizes of which a tenth can be told.
pub fn accepts(done: u64, total: u64, seconds: u64) -> bool {
    done >= total || done <= u64::MAX / BAR_WIDTH
}
