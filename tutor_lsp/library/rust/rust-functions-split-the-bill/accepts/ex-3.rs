/// Somebody has to pay.
pub fn accepts(total: u32, people: u32) -> bool {
    people >= 1
}
