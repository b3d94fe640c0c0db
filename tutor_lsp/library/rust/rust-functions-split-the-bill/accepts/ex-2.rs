/// Amounts that can be multiplied and added up.
pub fn accepts(bill: u32, percent: u32) -> bool {
    bill.checked_mul(percent).is_some_and(|hundredths| bill.checked_add(hundredths / 100).is_some())
}
