use exercise::{MAX_POINTS, Team, award, award_to, catch_up, label, leader};

/// Builds a team, for the tests to start from.
fn team(name: &str, points: u32) -> Team {
    Team {
        name: name.to_string(),
        points,
    }
}

/// The scores of a board, top to bottom.
fn points(board: &[Team]) -> Vec<u32> {
    board.iter().map(|team| team.points).collect()
}

#[test]
fn test_label_shows_name_and_points() {
    let owls = team("Owls", 12);
    assert_eq!(label(&owls), "Owls 12");
    assert_eq!(label(&team("Late Comers", 0)), "Late Comers 0");
}

#[test]
fn test_label_shows_the_points_as_they_are_now() {
    let mut owls = team("Owls", 12);
    assert_eq!(label(&owls), "Owls 12");
    owls.points = 15;
    assert_eq!(label(&owls), "Owls 15");
}

#[test]
fn test_award_adds_points_to_the_team() {
    let mut owls = team("Owls", 12);
    award(&mut owls, 3);
    assert_eq!(owls.points, 15);
    award(&mut owls, 5);
    assert_eq!(owls.points, 20);
}

#[test]
fn test_award_stops_at_the_largest_score() {
    let mut owls = team("Owls", 95);
    award(&mut owls, 4);
    assert_eq!(owls.points, MAX_POINTS);
    award(&mut owls, 1);
    assert_eq!(owls.points, MAX_POINTS);
    let mut foxes = team("Foxes", 97);
    award(&mut foxes, 150);
    assert_eq!(foxes.points, MAX_POINTS);
}

#[test]
fn test_leader_is_the_team_with_most_points() {
    let board = [team("Owls", 12), team("Foxes", 20), team("Bees", 7)];
    assert_eq!(leader(&board), Some(&board[1]));
    assert_eq!(leader(&board[..1]), Some(&board[0]));
}

#[test]
fn test_leader_in_a_tie_is_the_team_listed_first() {
    let board = [team("Bees", 7), team("Owls", 20), team("Foxes", 20)];
    assert_eq!(leader(&board), Some(&board[1]));
}

#[test]
fn test_leader_points_into_the_board() {
    let board = [team("Owls", 12), team("Foxes", 20)];
    assert!(
        leader(&board).is_some_and(|found| std::ptr::eq(found, &board[1])),
        "the leader should be the very team on the board, not another one"
    );
}

#[test]
fn test_leader_of_an_empty_board_is_nobody() {
    assert_eq!(leader(&[]), None);
    let board = [team("Owls", 0)];
    assert_eq!(leader(&board), Some(&board[0]));
}

#[test]
fn test_award_to_changes_only_the_named_team() {
    let mut board = [team("Owls", 12), team("Foxes", 20), team("Bees", 7)];
    award_to(&mut board, "Bees", 5);
    assert_eq!(points(&board), [12, 20, 12]);
}

#[test]
fn test_award_to_says_whether_the_team_was_found() {
    let mut board = [team("Owls", 12), team("Foxes", 20)];
    assert!(award_to(&mut board, "Foxes", 1));
    assert!(award_to(&mut board, "Owls", 0));
    assert!(!award_to(&mut board, "Wolves", 1));
    assert_eq!(points(&board), [12, 21]);
}

#[test]
fn test_award_to_stops_at_the_largest_score() {
    let mut board = [team("Owls", 98), team("Foxes", 20)];
    award_to(&mut board, "Owls", 5);
    assert_eq!(board[0].points, MAX_POINTS);
}

#[test]
fn test_catch_up_lifts_the_teams_behind() {
    let mut board = [team("Owls", 12), team("Foxes", 20), team("Bees", 7)];
    catch_up(&mut board, 5);
    assert_eq!(points(&board), [17, 20, 12]);
}

#[test]
fn test_catch_up_lets_nobody_pass_the_leader() {
    let mut board = [team("Owls", 18), team("Foxes", 20), team("Bees", 7)];
    catch_up(&mut board, 10);
    assert_eq!(points(&board), [20, 20, 17]);
}

#[test]
fn test_catch_up_copes_with_an_empty_board() {
    catch_up(&mut [], 5);
    let mut board = [team("Owls", 1), team("Foxes", 2)];
    catch_up(&mut board, 5);
    assert_eq!(points(&board), [2, 2]);
}
