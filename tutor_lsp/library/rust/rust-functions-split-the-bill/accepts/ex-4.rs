/// Amounts that can be multiplied and added up, and somebody who pays.
pub fn accepts(bill: u32, percent: u32, people: u32) -> bool {
    people >= 1
        && bill.checked_mul(percent).is_some_and(|part| bill.checked_add(part / 100).is_some())
}
