/// A table with the best score first.
pub fn accepts(table: &[Score], _name: &str) -> bool {
    is_table(table)
}

fn is_table(table: &[Score]) -> bool {
    table.len() <= SIZE && table.windows(2).all(|pair| pair[0].points >= pair[1].points)
}
