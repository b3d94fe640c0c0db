/// Two tables with the best score first.
pub fn accepts(mine: &[Score], others: &[Score]) -> bool {
    is_table(mine) && is_table(others)
}

fn is_table(table: &[Score]) -> bool {
    table.len() <= SIZE && table.windows(2).all(|pair| pair[0].points >= pair[1].points)
}
