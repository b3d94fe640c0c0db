use exercise::high_score::HighScore;

/// A result that can neither be compared nor cloned.
struct Draw;

#[test]
fn test_high_score_keeps_the_greatest() {
    let mut score = HighScore::unset();
    let kept: [bool; 3] = [score.enter(30), score.enter(25), score.enter(41)];
    assert_eq!(kept, [true, false, true]);
    assert_eq!(score.best(), Some(&41));
}

#[test]
fn test_high_score_is_beaten_only_by_more() {
    let mut score = HighScore::unset();
    score.enter(-7);
    assert_eq!(score.best(), Some(&-7));
    assert!(!score.enter(-7));
    assert!(score.enter(-6));
}

#[test]
fn test_high_score_takes_whatever_can_be_compared() {
    let mut seconds: HighScore<f64> = HighScore::unset();
    assert!(seconds.enter(9.5));
    assert!(seconds.enter(9.75));
    assert_eq!(seconds.best(), Some(&9.75));
    let mut words: HighScore<String> = HighScore::unset();
    words.enter(String::from("pawn"));
    words.enter(String::from("king"));
    assert_eq!(words.best().map(String::as_str), Some("pawn"));
}

#[test]
fn test_high_score_exists_for_every_type() {
    let score: HighScore<Draw> = HighScore::unset();
    assert!(score.best().is_none());
    assert!(HighScore::<char>::unset().best().is_none());
}
