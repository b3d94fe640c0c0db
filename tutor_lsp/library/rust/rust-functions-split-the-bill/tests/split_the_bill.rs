use exercise::{receipt, share, tip, total};

#[test]
fn test_tip_is_a_percentage_of_the_bill() {
    assert_eq!(tip(5_000, 10), 500);
    assert_eq!(tip(4_000, 25), 1_000);
}

#[test]
fn test_tip_drops_fractions_of_a_cent() {
    assert_eq!(tip(1_999, 10), 199);
    assert_eq!(tip(333, 15), 49);
}

#[test]
fn test_total_adds_the_tip_to_the_bill() {
    assert_eq!(total(5_000, 10), 5_500);
    assert_eq!(total(1_999, 10), 2_198);
}

#[test]
fn test_total_without_a_tip_is_the_bill() {
    assert_eq!(total(3_050, 0), 3_050);
}

#[test]
fn test_share_splits_an_even_total() {
    assert_eq!(share(6_000, 3), 2_000);
    assert_eq!(share(5_500, 4), 1_375);
}

#[test]
fn test_share_adds_a_cent_when_something_is_left_over() {
    assert_eq!(share(1_000, 3), 334);
    assert_eq!(share(1_400, 3), 467);
    assert_eq!(share(1_001, 2), 501);
}

#[test]
fn test_share_for_one_guest_is_everything() {
    assert_eq!(share(1_234, 1), 1_234);
}

#[test]
fn test_receipt_shows_total_and_share() {
    assert_eq!(receipt(5_000, 10, 4), "Total 55.00, 13.75 each");
    assert_eq!(receipt(800, 0, 2), "Total 8.00, 4.00 each");
}

#[test]
fn test_receipt_rounds_the_share_up() {
    assert_eq!(receipt(6_400, 10, 3), "Total 70.40, 23.47 each");
}
