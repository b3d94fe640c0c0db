/// A team of a board, and points that can be added up.
pub fn accepts(team: &Team, points: u32) -> bool {
    team.points <= MAX_POINTS && points <= 1_000_000
}
