/// Any board, and points that can be added up.
pub fn accepts(teams: &[Team], name: &str, points: u32) -> bool {
    let mut names: Vec<&str> = teams.iter().map(|team| team.name.as_str()).collect();
    names.sort();
    let differ = names.windows(2).all(|pair| pair[0] != pair[1]);
    differ && points <= 1_000_000 && teams.iter().all(|team| team.points <= MAX_POINTS)
}
