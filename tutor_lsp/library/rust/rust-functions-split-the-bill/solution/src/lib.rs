//! Split the bill: from the price of a dinner to what each guest pays.
//!
//! Every amount is in whole cents, so 12.50 is written `1_250`. The `_` only helps the eye.

/// Writes an amount the way a receipt does: `money(1_205)` is `"12.05"`. Ready to use.
pub fn money(cents: u32) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// The tip in cents: `percent` percent of `bill`.
/// Fractions of a cent are dropped, so 10 percent of `1_999` is `199`.
///
/// ex-1 - First principle: the last expression is the result
/// Read: LESSON.md, "A function ends with its answer"
/// Test: test_tip_is_a_percentage_of_the_bill
/// Start here: work out 10 percent of 1_999 with `*` and `/`, then put the
///     names in
pub fn tip(bill: u32, percent: u32) -> u32 {
    bill * percent / 100
}

/// What the whole table pays, in cents: the bill plus the tip on it.
///
/// ex-2 - First principle: let names a step
/// Read: LESSON.md, "Names for steps"
/// Test: test_total_adds_the_tip_to_the_bill
/// Start here: call `tip` and give its answer a name
pub fn total(bill: u32, percent: u32) -> u32 {
    let extra = tip(bill, percent);
    bill + extra
}

/// What each guest pays, in cents. Everyone pays the same, and together never less than `total`:
/// if it does not divide evenly, each pays one cent more than the rounded-down share.
/// `people` is at least 1.
///
/// ex-3 - First principle: if gives a value
/// Read: LESSON.md, "A choice is a value"
/// Test: test_share_splits_an_even_total
/// Start here: ask with `%` what is left over after dividing
pub fn share(total: u32, people: u32) -> u32 {
    let rest = total % people;
    let extra = if rest == 0 { 0 } else { 1 };
    total / people + extra
}

/// One line for the table: the total with tip, then what each guest pays, both written by `money`.
/// `receipt(6_400, 10, 3)` is `"Total 70.40, 23.47 each"`. `people` is at least 1.
///
/// ex-4 - First principle: small functions add up
/// Read: LESSON.md, "Functions that call functions"
/// Test: test_receipt_shows_total_and_share
/// Start here: name the total of the table, everything else grows out of it
pub fn receipt(bill: u32, percent: u32, people: u32) -> String {
    let sum = total(bill, percent);
    let each = share(sum, people);
    format!("Total {}, {} each", money(sum), money(each))
}
