/// Recipes that list no item twice, and a pantry without what has run out.
pub fn accepts(pantry: &Pantry, recipes: &[Recipe]) -> bool {
    is_pantry(pantry) && recipes.iter().all(is_recipe)
}

/// Nothing has run out, and nothing grows beyond counting.
fn is_pantry(pantry: &Pantry) -> bool {
    pantry.values().all(|pieces| (1..=1_000_000).contains(pieces))
}

fn is_recipe(recipe: &Recipe) -> bool {
    let mut items: Vec<&str> = recipe.items.iter().map(|(item, _)| item.as_str()).collect();
    items.sort();
    items.windows(2).all(|pair| pair[0] != pair[1])
        && recipe.items.iter().all(|(_, pieces)| (1..=1_000_000).contains(pieces))
}
