//! The high score table of a game. It is a vector that begins with the best score, and two equal
//! scores stand in the order in which they were reached.

/// How many scores a table has at most.
pub const SIZE: usize = 5;

/// What somebody reached.
#[derive(Debug, PartialEq, Eq)]
pub struct Score {
    /// The player. Good players are in the table several times.
    pub name: String,
    /// How many points it was.
    pub points: u32,
}

/// The score at a place of the table, where 0 is the best one. There is none behind the end.
///
/// ex-1 - First principle: get asks, square brackets insist
/// Read: LESSON.md, "Asking for an element"
/// Test: test_place_is_the_score_at_that_index
/// Start here: look for the method that answers with an `Option`
pub fn place(table: &[Score], index: usize) -> Option<&Score> {
    table.get(index)
}

/// How many scores of the table are at least as good as `points`. That is the index at which a new
/// score with so many points belongs, behind its equals.
///
/// ex-2 - First principle: walk over elements, not over numbers
/// Read: LESSON.md, "Walking instead of counting"
/// Test: test_rank_counts_better_scores
/// Start here: go along the scores and count those that stay ahead
pub fn rank(table: &[Score], points: u32) -> usize {
    table.iter().filter(|score| score.points >= points).count()
}

/// Puts a new score into the table, at the index that `rank` gives. The table then keeps its `SIZE`
/// best scores, whatever is behind them is dropped. The answer says whether the new score made it
/// into the table; if it did not, the table is as before.
///
/// ex-3 - First principle: insert and truncate keep a vector in shape
/// Read: LESSON.md, "In at one place, out at the end"
/// Test: test_enter_puts_the_score_at_its_place
/// Start here: find out where the score belongs, and whether that is still
///     within the table
pub fn enter(table: &mut Vec<Score>, name: &str, points: u32) -> bool {
    let at = rank(table, points);
    if at >= SIZE {
        return false;
    }
    table.insert(
        at,
        Score {
            name: name.to_string(),
            points,
        },
    );
    table.truncate(SIZE);
    true
}

/// Takes all scores of a player out of the table and says how many there were. The others keep
/// their order.
///
/// ex-4 - First principle: retain clears up in one walk
/// Read: LESSON.md, "Clearing up on the way"
/// Test: test_forget_takes_all_scores_of_a_player
/// Start here: say which scores may stay, and compare the length with the one
///     before
pub fn forget(table: &mut Vec<Score>, name: &str) -> usize {
    let before = table.len();
    table.retain(|score| score.name != name);
    before - table.len()
}

/// Joins the table of another machine with this one. Afterwards `mine` has the best `SIZE` scores
/// of both, in order. Of equal scores those of `mine` come first, and within each table the order
/// stays.
///
/// ex-5 - First principle: sorting follows the rule that you give
/// Read: LESSON.md, "An order of your own"
/// Test: test_merge_brings_both_tables_into_order
/// Start here: put everything into one vector before you think about the
///     order
pub fn merge(mine: &mut Vec<Score>, others: Vec<Score>) {
    mine.extend(others);
    mine.sort_by_key(|score| std::cmp::Reverse(score.points));
    mine.truncate(SIZE);
}
