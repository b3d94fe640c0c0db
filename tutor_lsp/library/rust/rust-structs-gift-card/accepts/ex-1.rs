/// Any card.
pub fn accepts(_card: &GiftCard) -> bool {
    true
}
