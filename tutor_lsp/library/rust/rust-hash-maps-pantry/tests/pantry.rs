use exercise::{Pantry, Recipe, amount, shopping_list, store, take, used_in};

/// A pantry with these items, for the tests to start from.
fn pantry(items: &[(&str, u32)]) -> Pantry {
    items
        .iter()
        .map(|(item, pieces)| (item.to_string(), *pieces))
        .collect()
}

/// What is in a pantry, sorted by name.
fn items(pantry: &Pantry) -> Vec<(&str, u32)> {
    let mut items: Vec<_> = pantry
        .iter()
        .map(|(item, pieces)| (item.as_str(), *pieces))
        .collect();
    items.sort();
    items
}

/// A recipe that needs these items.
fn recipe(name: &str, items: &[(&str, u32)]) -> Recipe {
    Recipe {
        name: name.to_string(),
        items: items
            .iter()
            .map(|(item, pieces)| (item.to_string(), *pieces))
            .collect(),
    }
}

/// What is cooked this week.
fn week() -> Vec<Recipe> {
    vec![
        recipe("pancakes", &[("eggs", 3), ("milk", 1), ("flour", 1)]),
        recipe("salad", &[("tomatoes", 4), ("onions", 1)]),
        recipe("cake", &[("flour", 2), ("eggs", 4), ("apples", 6)]),
    ]
}

#[test]
fn test_amount_is_the_number_of_pieces() {
    let shelf = pantry(&[("eggs", 5), ("milk", 2)]);
    assert_eq!(amount(&shelf, "eggs"), 5);
    assert_eq!(amount(&shelf, "milk"), 2);
}

#[test]
fn test_amount_of_a_missing_item_is_zero() {
    let shelf = pantry(&[("eggs", 5)]);
    assert_eq!(amount(&shelf, "rice"), 0);
    assert_eq!(amount(&Pantry::new(), "eggs"), 0);
    assert_eq!(amount(&shelf, "eggs"), 5);
}

#[test]
fn test_store_brings_in_a_new_item() {
    let mut shelf = Pantry::new();
    store(&mut shelf, "eggs", 6);
    assert_eq!(items(&shelf), [("eggs", 6)]);
}

#[test]
fn test_store_adds_to_what_is_there() {
    let mut shelf = pantry(&[("eggs", 2)]);
    store(&mut shelf, "eggs", 6);
    assert_eq!(items(&shelf), [("eggs", 8)]);
    store(&mut shelf, "eggs", 1);
    assert_eq!(items(&shelf), [("eggs", 9)]);
}

#[test]
fn test_store_leaves_other_items_alone() {
    let mut shelf = pantry(&[("eggs", 2), ("milk", 1)]);
    store(&mut shelf, "rice", 3);
    assert_eq!(items(&shelf), [("eggs", 2), ("milk", 1), ("rice", 3)]);
}

#[test]
fn test_take_lowers_the_number() {
    let mut shelf = pantry(&[("eggs", 5), ("milk", 2)]);
    assert!(take(&mut shelf, "eggs", 3));
    assert_eq!(items(&shelf), [("eggs", 2), ("milk", 2)]);
}

#[test]
fn test_take_of_the_last_piece_removes_the_item() {
    let mut shelf = pantry(&[("eggs", 5), ("milk", 2)]);
    assert!(take(&mut shelf, "eggs", 5));
    assert_eq!(items(&shelf), [("milk", 2)]);
}

#[test]
fn test_take_refuses_more_than_there_is() {
    let mut shelf = pantry(&[("eggs", 5)]);
    assert!(!take(&mut shelf, "eggs", 6));
    assert_eq!(items(&shelf), [("eggs", 5)]);
    assert!(take(&mut shelf, "eggs", 4));
}

#[test]
fn test_take_refuses_a_missing_item() {
    let mut shelf = pantry(&[("eggs", 5)]);
    assert!(!take(&mut shelf, "rice", 1));
    assert_eq!(items(&shelf), [("eggs", 5)]);
    assert!(take(&mut shelf, "eggs", 1));
}

#[test]
fn test_used_in_finds_the_recipe_of_an_item() {
    let week = week();
    assert_eq!(used_in(&week).get("milk"), Some(&vec!["pancakes"]));
    assert_eq!(used_in(&week).get("onions"), Some(&vec!["salad"]));
}

#[test]
fn test_used_in_lists_recipes_in_their_order() {
    let week = week();
    assert_eq!(used_in(&week).get("eggs"), Some(&vec!["pancakes", "cake"]));
    assert_eq!(used_in(&week).get("flour"), Some(&vec!["pancakes", "cake"]));
}

#[test]
fn test_used_in_has_every_item_once() {
    let week = week();
    assert_eq!(used_in(&week).len(), 6);
    assert_eq!(used_in(&week).get("rice"), None);
}

#[test]
fn test_shopping_list_names_what_is_missing() {
    let shelf = pantry(&[("tomatoes", 1)]);
    let salad = [recipe("salad", &[("tomatoes", 4), ("onions", 1)])];
    assert_eq!(
        shopping_list(&shelf, &salad),
        ["onions: 1 (salad)", "tomatoes: 3 (salad)"]
    );
}

#[test]
fn test_shopping_list_adds_up_what_recipes_need() {
    let shelf = pantry(&[("eggs", 5), ("flour", 2), ("milk", 1), ("apples", 9)]);
    let sweet = [
        recipe("pancakes", &[("eggs", 3), ("milk", 1), ("flour", 1)]),
        recipe("cake", &[("flour", 2), ("eggs", 4), ("apples", 6)]),
    ];
    assert_eq!(
        shopping_list(&shelf, &sweet),
        ["eggs: 2 (pancakes, cake)", "flour: 1 (pancakes, cake)"]
    );
}

#[test]
fn test_shopping_list_leaves_out_what_is_there() {
    let salad = [recipe("salad", &[("tomatoes", 4), ("onions", 1)])];
    let full = pantry(&[("tomatoes", 4), ("onions", 7), ("rice", 1)]);
    assert_eq!(shopping_list(&full, &salad), Vec::<String>::new());
    assert_eq!(shopping_list(&full, &[]), Vec::<String>::new());
    let less = pantry(&[("tomatoes", 3), ("onions", 7)]);
    assert_eq!(shopping_list(&less, &salad), ["tomatoes: 1 (salad)"]);
}

#[test]
fn test_shopping_list_is_sorted_by_item() {
    assert_eq!(
        shopping_list(&Pantry::new(), &week()),
        [
            "apples: 6 (cake)",
            "eggs: 7 (pancakes, cake)",
            "flour: 3 (pancakes, cake)",
            "milk: 1 (pancakes)",
            "onions: 1 (salad)",
            "tomatoes: 4 (salad)",
        ]
    );
}
