//! A pantry that counts what is in it, and the shopping list that follows from it.

use std::collections::HashMap;

/// What is in the pantry: how many pieces of each item. An item that has run out is not in it.
pub type Pantry = HashMap<String, u32>;

/// Something to cook.
#[derive(Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What it is called.
    pub name: String,
    /// What goes in, with the number of pieces. No item is listed twice.
    pub items: Vec<(String, u32)>,
}

/// How many pieces of an item are in the pantry, 0 if there is none.
///
/// ex-1 - First principle: get looks up and may find nothing
/// Read: LESSON.md, "Looking up"
/// Test: test_amount_is_the_number_of_pieces
/// Start here: ask the map for `item`, and copy the number out of what it
///     lends you
pub fn amount(pantry: &Pantry, item: &str) -> u32 {
    let _ = (pantry, item);
    todo!("amount")
}

/// Puts `pieces` of an item into the pantry, on top of those that are there. `pieces` is at least
/// 1.
///
/// ex-2 - First principle: an entry is a place, filled or free
/// Read: LESSON.md, "A place for every key"
/// Test: test_store_brings_in_a_new_item
/// Start here: get the place for the item, with a 0 in it if it was free
pub fn store(pantry: &mut Pantry, item: &str, pieces: u32) {
    let _ = (pantry, item, pieces);
    todo!("store")
}

/// Takes `pieces` of an item out of the pantry and answers `true`. An item that has run out leaves
/// the map. If there are fewer pieces than that, or none, the answer is `false` and nothing
/// changes. `pieces` is at least 1.
///
/// ex-3 - First principle: get_mut lends a value, remove takes it
/// Read: LESSON.md, "Change it or take it out"
/// Test: test_take_lowers_the_number
/// Start here: borrow the number so that it can be changed, or leave if there
///     is none
pub fn take(pantry: &mut Pantry, item: &str, pieces: u32) -> bool {
    let _ = (pantry, item, pieces);
    todo!("take")
}

/// For each item the names of the recipes that need it, in the order of `recipes`.
///
/// ex-4 - First principle: or_default groups what belongs together
/// Read: LESSON.md, "Sorting into boxes"
/// Test: test_used_in_finds_the_recipe_of_an_item
/// Start here: begin with an empty map, and walk through the items of each
///     recipe
pub fn used_in(recipes: &[Recipe]) -> HashMap<&str, Vec<&str>> {
    let _ = recipes;
    todo!("used_in")
}

/// What is missing for cooking all the recipes, one line for each item, sorted by the items' names.
/// A line has the item, the number of missing pieces, and the recipes that need the item:
/// `"eggs: 2 (pancakes, cake)"`. What several recipes need is added up. Items of which there are
/// enough have no line.
///
/// ex-5 - First principle: a hash map has no order
/// Read: LESSON.md, "Order is up to you"
/// Test: test_shopping_list_names_what_is_missing
/// Start here: a second map can count what all recipes need, and `store` can
///     fill it
pub fn shopping_list(pantry: &Pantry, recipes: &[Recipe]) -> Vec<String> {
    let _ = (pantry, recipes);
    todo!("shopping_list")
}
