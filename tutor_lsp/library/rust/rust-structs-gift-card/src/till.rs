// What a shop takes in a day: `Till::with_change(500)` begins with 500 cents and no sale,
// `till.take(250)` puts 250 cents in, `till.total()` is the money in it, and `till.sales()` how often
// some was put in. After `take(250)` and `take(50)` they are 800 and 2. Nothing is no sale: `take(0)`
// changes neither. Both numbers are `u32`, and reached by these methods alone.
//
// ex-6 - First principle: a type is its data and its methods
// Read: LESSON.md, "A type of your own"
// Test: test_till_begins_with_its_change
// Start here: which two numbers does a till have to keep?

// `sell(&mut card, &mut till, 250)` pays 250 cents with a `GiftCard`, puts them into a `Till`, and is
// `true`. With less than that on the card it is `false`, and neither of the two has changed.
//
// ex-7 - First principle: a signature says who changes what
// Read: LESSON.md, "Two values in one deal"
// Test: test_sell_moves_the_price_from_card_to_till
// Start here: which of the two has to agree first?
