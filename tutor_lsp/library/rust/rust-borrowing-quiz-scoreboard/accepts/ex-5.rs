/// Any board, and points that can be added up.
pub fn accepts(teams: &[Team], points: u32) -> bool {
    points <= 1_000_000 && teams.iter().all(|team| team.points <= MAX_POINTS)
}
