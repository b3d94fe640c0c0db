/// Recipes that list no item twice.
pub fn accepts(recipes: &[Recipe]) -> bool {
    recipes.iter().all(is_recipe)
}

fn is_recipe(recipe: &Recipe) -> bool {
    let mut items: Vec<&str> = recipe.items.iter().map(|(item, _)| item.as_str()).collect();
    items.sort();
    items.windows(2).all(|pair| pair[0] != pair[1])
        && recipe.items.iter().all(|(_, pieces)| (1..=1_000_000).contains(pieces))
}
