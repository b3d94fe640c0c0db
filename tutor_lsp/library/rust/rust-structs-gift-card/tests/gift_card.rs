use exercise::GiftCard;

#[test]
fn test_describe_shows_owner_and_balance() {
    assert_eq!(GiftCard::new("Ada", 1_250).describe(), "Ada: 12.50");
    assert_eq!(GiftCard::new("Lin Wu", 5).describe(), "Lin Wu: 0.05");
}

#[test]
fn test_describe_leaves_the_card_as_it_is() {
    let card = GiftCard::restore("Ada", 300, 2);
    assert_eq!(card.describe(), "Ada: 3.00");
    assert_eq!(card.describe(), "Ada: 3.00");
    assert_eq!((card.balance(), card.payments()), (300, 2));
}

#[test]
fn test_pair_makes_a_card_for_each_owner() {
    assert_eq!(
        GiftCard::pair("Ada", "Lin", 3_000),
        (GiftCard::new("Ada", 1_500), GiftCard::new("Lin", 1_500))
    );
}

#[test]
fn test_pair_gives_the_odd_cent_to_the_first() {
    assert_eq!(
        GiftCard::pair("Ada", "Lin", 1_001),
        (GiftCard::new("Ada", 501), GiftCard::new("Lin", 500))
    );
    assert_eq!(
        GiftCard::pair("Ada", "Lin", 1),
        (GiftCard::new("Ada", 1), GiftCard::new("Lin", 0))
    );
}

#[test]
fn test_pair_starts_without_payments() {
    let (first, second) = GiftCard::pair("Ada", "Lin", 800);
    assert_eq!((first.payments(), second.payments()), (0, 0));
    assert_eq!((first.balance(), second.balance()), (400, 400));
}

#[test]
fn test_pay_takes_the_money_and_counts_the_payment() {
    let mut card = GiftCard::new("Ada", 5_000);
    assert!(card.pay(1_200));
    assert_eq!((card.balance(), card.payments()), (3_800, 1));
    assert!(card.pay(800));
    assert_eq!((card.balance(), card.payments()), (3_000, 2));
}

#[test]
fn test_pay_may_empty_the_card() {
    let mut card = GiftCard::new("Ada", 700);
    assert!(card.pay(700));
    assert_eq!((card.balance(), card.payments()), (0, 1));
}

#[test]
fn test_pay_refuses_more_than_there_is() {
    let mut card = GiftCard::new("Ada", 700);
    assert!(!card.pay(701));
    assert_eq!((card.balance(), card.payments()), (700, 0));
    assert!(card.pay(699));
}

#[test]
fn test_absorb_adds_the_money() {
    let mut card = GiftCard::new("Ada", 700);
    card.absorb(GiftCard::new("Lin", 550));
    assert_eq!(card.balance(), 1_250);
}

#[test]
fn test_absorb_adds_the_payments() {
    let mut card = GiftCard::restore("Ada", 700, 2);
    card.absorb(GiftCard::restore("Lin", 550, 3));
    assert_eq!((card.balance(), card.payments()), (1_250, 5));
}

#[test]
fn test_absorb_keeps_the_owner() {
    let mut card = GiftCard::new("Ada", 0);
    card.absorb(GiftCard::new("Lin", 550));
    assert_eq!((card.owner(), card.balance()), ("Ada", 550));
}

#[test]
fn test_split_off_makes_a_card_with_the_money() {
    let mut card = GiftCard::new("Ada", 5_000);
    assert_eq!(
        card.split_off("Lin", 2_000),
        Some(GiftCard::new("Lin", 2_000))
    );
    assert_eq!(
        card.split_off("Tom", 3_000),
        Some(GiftCard::new("Tom", 3_000))
    );
}

#[test]
fn test_split_off_pays_from_this_card() {
    let mut card = GiftCard::new("Ada", 5_000);
    assert!(card.split_off("Lin", 2_000).is_some());
    assert_eq!((card.balance(), card.payments()), (3_000, 1));
}

#[test]
fn test_split_off_refuses_more_than_there_is() {
    let mut card = GiftCard::new("Ada", 5_000);
    assert_eq!(card.split_off("Lin", 5_001), None);
    assert_eq!((card.balance(), card.payments()), (5_000, 0));
    assert!(card.split_off("Lin", 5_000).is_some());
}
