/// Amounts that can be multiplied.
pub fn accepts(bill: u32, percent: u32) -> bool {
    bill.checked_mul(percent).is_some()
}
