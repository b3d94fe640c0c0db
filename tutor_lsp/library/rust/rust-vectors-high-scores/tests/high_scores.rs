use exercise::{SIZE, Score, enter, forget, merge, place, rank};

/// A table with these scores, for the tests to start from.
fn table(scores: &[(&str, u32)]) -> Vec<Score> {
    scores
        .iter()
        .map(|(name, points)| Score {
            name: name.to_string(),
            points: *points,
        })
        .collect()
}

/// What a table shows, from the top.
fn shown(table: &[Score]) -> Vec<(&str, u32)> {
    table
        .iter()
        .map(|score| (score.name.as_str(), score.points))
        .collect()
}

#[test]
fn test_place_is_the_score_at_that_index() {
    let scores = table(&[("Ada", 90), ("Lin", 70), ("Tom", 40)]);
    assert_eq!(place(&scores, 0), Some(&scores[0]));
    assert_eq!(place(&scores, 2), Some(&scores[2]));
}

#[test]
fn test_place_behind_the_end_is_empty() {
    let scores = table(&[("Ada", 90), ("Lin", 70)]);
    assert_eq!(place(&scores, 2), None);
    assert_eq!(place(&[], 0), None);
    assert_eq!(place(&scores, 1), Some(&scores[1]));
}

#[test]
fn test_rank_counts_better_scores() {
    let scores = table(&[("Ada", 90), ("Lin", 70), ("Tom", 40)]);
    assert_eq!(rank(&scores, 80), 1);
    assert_eq!(rank(&scores, 50), 2);
    assert_eq!(rank(&scores, 95), 0);
}

#[test]
fn test_rank_puts_equal_scores_first() {
    let scores = table(&[("Ada", 90), ("Lin", 70), ("Tom", 70), ("Eve", 40)]);
    assert_eq!(rank(&scores, 70), 3);
    assert_eq!(rank(&scores, 90), 1);
}

#[test]
fn test_rank_of_the_weakest_score_is_the_end() {
    let scores = table(&[("Ada", 90), ("Lin", 70)]);
    assert_eq!(rank(&scores, 3), 2);
    assert_eq!(rank(&[], 3), 0);
}

#[test]
fn test_enter_puts_the_score_at_its_place() {
    let mut scores = table(&[("Ada", 90), ("Tom", 40)]);
    assert!(enter(&mut scores, "Lin", 70));
    assert_eq!(shown(&scores), [("Ada", 90), ("Lin", 70), ("Tom", 40)]);
    assert!(enter(&mut scores, "Eve", 70));
    assert_eq!(shown(&scores[1..3]), [("Lin", 70), ("Eve", 70)]);
    assert!(enter(&mut scores, "Zoe", 1));
    assert_eq!(shown(&scores[4..]), [("Zoe", 1)]);
}

#[test]
fn test_enter_drops_the_last_one_of_a_full_table() {
    let mut scores = table(&[("Ada", 9), ("Lin", 8), ("Tom", 7), ("Eve", 6), ("Zoe", 5)]);
    assert!(enter(&mut scores, "Kim", 8));
    assert_eq!(
        shown(&scores),
        [("Ada", 9), ("Lin", 8), ("Kim", 8), ("Tom", 7), ("Eve", 6)]
    );
}

#[test]
fn test_enter_refuses_a_score_that_is_too_low() {
    let mut scores = table(&[("Ada", 9), ("Lin", 8), ("Tom", 7), ("Eve", 6), ("Zoe", 5)]);
    assert!(!enter(&mut scores, "Kim", 5));
    assert_eq!(scores.len(), SIZE);
    assert_eq!(shown(&scores[4..]), [("Zoe", 5)]);
    assert!(enter(&mut scores, "Kim", 6));
}

#[test]
fn test_forget_takes_all_scores_of_a_player() {
    let mut scores = table(&[("Ada", 9), ("Lin", 8), ("Lin", 7), ("Ada", 6)]);
    forget(&mut scores, "Lin");
    assert_eq!(shown(&scores), [("Ada", 9), ("Ada", 6)]);
}

#[test]
fn test_forget_says_how_many_there_were() {
    let mut scores = table(&[("Ada", 9), ("Lin", 8), ("Lin", 7), ("Ada", 6)]);
    assert_eq!(forget(&mut scores, "Tom"), 0);
    assert_eq!(forget(&mut scores, "Lin"), 2);
    assert_eq!(forget(&mut scores, "Lin"), 0);
}

#[test]
fn test_forget_leaves_others_in_order() {
    let mut scores = table(&[("Lin", 9), ("Ada", 8), ("Lin", 7), ("Tom", 6), ("Lin", 5)]);
    assert_eq!(forget(&mut scores, "Lin"), 3);
    assert_eq!(shown(&scores), [("Ada", 8), ("Tom", 6)]);
}

#[test]
fn test_merge_brings_both_tables_into_order() {
    let mut mine = table(&[("Ada", 9), ("Lin", 4)]);
    merge(&mut mine, table(&[("Tom", 12), ("Eve", 6)]));
    assert_eq!(
        shown(&mine),
        [("Tom", 12), ("Ada", 9), ("Eve", 6), ("Lin", 4)]
    );
}

#[test]
fn test_merge_keeps_only_the_best() {
    let mut mine = table(&[("Ada", 9), ("Lin", 4), ("Ada", 3), ("Tom", 1)]);
    merge(&mut mine, table(&[("Eve", 7), ("Zoe", 2), ("Eve", 1)]));
    assert_eq!(
        shown(&mine),
        [("Ada", 9), ("Eve", 7), ("Lin", 4), ("Ada", 3), ("Zoe", 2)]
    );
}

#[test]
fn test_merge_lets_equal_scores_of_mine_come_first() {
    let mut mine = table(&[("Zoe", 5), ("Lin", 5)]);
    merge(&mut mine, table(&[("Tom", 5), ("Ada", 5)]));
    assert_eq!(
        shown(&mine),
        [("Zoe", 5), ("Lin", 5), ("Tom", 5), ("Ada", 5)]
    );
}
