/// Any team of a board.
pub fn accepts(team: &Team) -> bool {
    team.points <= MAX_POINTS
}
