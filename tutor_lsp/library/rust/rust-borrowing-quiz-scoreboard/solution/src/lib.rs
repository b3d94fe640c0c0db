//! A scoreboard for quiz night. The board belongs to whoever runs the quiz; these functions only
//! borrow it.

/// The largest score that the board can show.
pub const MAX_POINTS: u32 = 99;

/// One team on the board.
#[derive(Debug, PartialEq, Eq)]
pub struct Team {
    /// What the team calls itself, different for each team.
    pub name: String,
    /// Points so far, at most `MAX_POINTS`.
    pub points: u32,
}

/// The text for one row of the board, name and points with a space between: `"Owls 12"`.
///
/// ex-1 - First principle: reading needs only a shared borrow
/// Read: LESSON.md, "Look without taking"
/// Test: test_label_shows_name_and_points
/// Start here: both parts can be read through `team`, put them into one text
pub fn label(team: &Team) -> String {
    format!("{} {}", team.name, team.points)
}

/// Gives `points` to a team. What would go above `MAX_POINTS` is lost: the team then has exactly
/// `MAX_POINTS`.
///
/// ex-2 - First principle: a mutable borrow changes the owner's value
/// Read: LESSON.md, "Borrowing the pen"
/// Test: test_award_adds_points_to_the_team
/// Start here: work out the new score first, then think about the limit
pub fn award(team: &mut Team, points: u32) {
    team.points = (team.points + points).min(MAX_POINTS);
}

/// Points at the team with most points. In a tie it is the one listed first, and on an empty board
/// there is none.
///
/// ex-3 - First principle: a returned reference points into what was lent
/// Read: LESSON.md, "Pointing at one of many"
/// Test: test_leader_is_the_team_with_most_points
/// Start here: take the first team as the best so far, if there is a first
pub fn leader(teams: &[Team]) -> Option<&Team> {
    let mut best = teams.first()?;
    for team in teams {
        if team.points > best.points {
            best = team;
        }
    }
    Some(best)
}

/// Gives `points` to the team called `name`, with the same limit as `award`, and says whether there
/// is such a team. If not, nothing changes.
///
/// ex-4 - First principle: a loop lends one element after the other
/// Read: LESSON.md, "One element at a time"
/// Test: test_award_to_changes_only_the_named_team
/// Start here: walk through the teams so that each may be changed
pub fn award_to(teams: &mut [Team], name: &str, points: u32) -> bool {
    for team in teams.iter_mut() {
        if team.name == name {
            award(team, points);
            return true;
        }
    }
    false
}

/// The comeback round: every team behind the leader gets `points`, but ends at the leader's score
/// at most. The leader's score stays as it is, and so does an empty board.
///
/// ex-5 - First principle: a borrow ends at its last use
/// Read: LESSON.md, "A loan ends when you stop using it"
/// Test: test_catch_up_lifts_the_teams_behind
/// Start here: ask `leader`, and take with you the one number that you need
///     later
pub fn catch_up(teams: &mut [Team], points: u32) {
    let Some(first) = leader(teams) else {
        return;
    };
    let top = first.points;
    for team in teams.iter_mut() {
        team.points = (team.points + points).min(top);
    }
}
