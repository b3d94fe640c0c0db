/// Cards whose money can be counted together.
pub fn accepts(card: &GiftCard, other: &GiftCard) -> bool {
    card.cents.checked_add(other.cents).is_some()
        && card.payments.checked_add(other.payments).is_some()
}
