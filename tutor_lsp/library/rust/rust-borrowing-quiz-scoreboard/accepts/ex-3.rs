/// Any board.
pub fn accepts(teams: &[Team]) -> bool {
    teams.iter().all(|team| team.points <= MAX_POINTS)
}
