use exercise::till::{sell, Till};
use exercise::GiftCard;

#[test]
fn test_sell_moves_the_price_from_card_to_till() {
    let (mut card, mut till) = (GiftCard::new("Ada", 1_000), Till::with_change(500));
    let sold: bool = sell(&mut card, &mut till, 250);
    assert!(sold);
    assert_eq!((card.balance(), till.total(), till.sales()), (750, 750, 1));
}

#[test]
fn test_sell_refuses_what_the_card_cannot_pay() {
    let (mut card, mut till) = (GiftCard::new("Lin", 200), Till::with_change(500));
    assert!(!sell(&mut card, &mut till, 201));
    assert_eq!((card.balance(), till.total(), till.sales()), (200, 500, 0));
}

#[test]
fn test_sell_leaves_card_and_till_to_the_caller() {
    let (mut card, mut till) = (GiftCard::new("Ada", 300), Till::with_change(0));
    assert!(sell(&mut card, &mut till, 100));
    assert!(sell(&mut card, &mut till, 200));
    assert!(!sell(&mut card, &mut till, 1));
    assert_eq!((card.balance(), till.total(), till.sales()), (0, 300, 2));
}
