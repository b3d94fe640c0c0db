//! Gift cards for a small shop. The money on a card is guarded by the card itself: outside of this
//! file nobody can reach its fields, only its methods.

pub mod till;

/// Writes an amount the way a price tag does: `money(1_205)` is `"12.05"`. Ready to use.
pub fn money(cents: u32) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// A gift card. It can neither be cloned nor copied, since that would be money from nowhere.
#[derive(Debug, PartialEq, Eq)]
pub struct GiftCard {
    /// Who may pay with the card.
    owner: String,
    /// The money on it, in cents.
    cents: u32,
    /// How often money was taken from it.
    payments: u32,
}

impl GiftCard {
    /// Makes a card for `owner` with `cents` on it that nobody has paid with yet. Ready to use.
    pub fn new(owner: &str, cents: u32) -> GiftCard {
        GiftCard::restore(owner, cents, 0)
    }

    /// Makes a card just as the shop's records have it. Ready to use.
    pub fn restore(owner: &str, cents: u32, payments: u32) -> GiftCard {
        GiftCard {
            owner: owner.to_string(),
            cents,
            payments,
        }
    }

    /// Who may pay with the card. Ready to use.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The money on the card, in cents. Ready to use.
    pub fn balance(&self) -> u32 {
        self.cents
    }

    /// How often money was taken from the card. Ready to use.
    pub fn payments(&self) -> u32 {
        self.payments
    }

    /// A line for the shop's screen: the owner, and the balance as `money` writes it, as in
    /// `"Ada: 12.50"`.
    ///
    /// ex-1 - First principle: &self lends the value to its method
    /// Read: LESSON.md, "A method borrows its value"
    /// Test: test_describe_shows_owner_and_balance
    /// Start here: reach both fields through `self`
    pub fn describe(&self) -> String {
        let _ = self;
        todo!("describe")
    }

    /// Makes two cards out of one present of `cents`, for `first` and for `second`, in this order.
    /// Each gets half, and a cent that cannot be halved goes to the first. Nobody has paid with
    /// either of them yet.
    ///
    /// ex-2 - First principle: without self, a function makes values
    /// Read: LESSON.md, "A function that makes one"
    /// Test: test_pair_makes_a_card_for_each_owner
    /// Start here: work out what the second card gets, the first gets the
    ///     rest
    pub fn pair(first: &str, second: &str, cents: u32) -> (GiftCard, GiftCard) {
        let _ = (first, second, cents);
        todo!("pair")
    }

    /// Takes `cents` from the card and counts that as a payment, then answers `true`. If there is
    /// less than that on the card, it answers `false` and changes nothing.
    ///
    /// ex-3 - First principle: a method keeps the fields in agreement
    /// Read: LESSON.md, "Methods guard the fields"
    /// Test: test_pay_takes_the_money_and_counts_the_payment
    /// Start here: deal with the card that has too little, before anything
    ///     changes
    pub fn pay(&mut self, cents: u32) -> bool {
        let _ = (self, cents);
        todo!("pay")
    }

    /// Moves everything from `other` to this card: the money, and the number of payments too. The
    /// owner of this card stays. The other card is used up, so its money cannot be spent again.
    ///
    /// ex-4 - First principle: a value taken by value is used up
    /// Read: LESSON.md, "Used up for good"
    /// Test: test_absorb_adds_the_money
    /// Start here: the fields of `other` can be read like those of `self`
    pub fn absorb(&mut self, other: GiftCard) {
        let _ = (self, other);
        todo!("absorb")
    }

    /// Pays `cents` from this card onto a new one that belongs to `owner`, and hands out the new
    /// card. If there is less than that on this card, there is no new card, and nothing changes.
    ///
    /// ex-5 - First principle: methods build on methods
    /// Read: LESSON.md, "Rules written once"
    /// Test: test_split_off_makes_a_card_with_the_money
    /// Start here: let `pay` decide whether there is enough
    pub fn split_off(&mut self, owner: &str, cents: u32) -> Option<GiftCard> {
        let _ = (self, owner, cents);
        todo!("split_off")
    }
}
