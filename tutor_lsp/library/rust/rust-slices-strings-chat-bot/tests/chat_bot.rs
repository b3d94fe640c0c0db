use exercise::{answer, is_command, preview, recent, split_command};

/// A chat, for the tests to start from.
fn chat(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| line.to_string()).collect()
}

#[test]
fn test_is_command_when_the_line_begins_with_a_slash() {
    assert!(is_command("/recent"));
    assert!(is_command(&String::from("/shout hello")));
    assert!(!is_command("good morning"));
}

#[test]
fn test_is_command_not_with_a_slash_further_on() {
    assert!(!is_command("tea/coffee?"));
    assert!(!is_command(" /recent"));
    assert!(!is_command(""));
    assert!(is_command("/"));
}

#[test]
fn test_split_command_gives_word_and_argument() {
    assert_eq!(
        split_command("/shout good morning"),
        ("shout", "good morning")
    );
    assert_eq!(split_command("/add tea"), ("add", "tea"));
    assert_eq!(split_command("/add  hot tea "), ("add", " hot tea "));
    assert_eq!(split_command("/add\t tea"), ("add\t", "tea"));
}

#[test]
fn test_split_command_without_an_argument() {
    assert_eq!(split_command("/recent"), ("recent", ""));
    assert_eq!(split_command("/add "), ("add", ""));
    assert_eq!(split_command("//recent"), ("/recent", ""));
}

#[test]
fn test_split_command_copes_with_letters_of_two_bytes() {
    assert_eq!(
        split_command("/größe Käse und Öl"),
        ("größe", "Käse und Öl")
    );
}

#[test]
fn test_preview_shows_the_first_characters() {
    assert_eq!(preview("good morning", 4), "good");
    assert_eq!(preview("good morning", 5), "good ");
}

#[test]
fn test_preview_counts_characters_not_bytes() {
    assert_eq!(preview("Müsli", 2), "Mü");
    assert_eq!(preview("tea 🍵 now", 5), "tea 🍵");
}

#[test]
fn test_preview_of_a_short_text_is_all_of_it() {
    assert_eq!(preview("tea", 3), "tea");
    assert_eq!(preview("tea", 40), "tea");
    assert_eq!(preview("Öl", 2), "Öl");
}

#[test]
fn test_recent_gives_the_last_lines_in_order() {
    let history = chat(&["hello", "tea?", "yes", "now"]);
    assert_eq!(recent(&history, 2), ["yes", "now"]);
    assert_eq!(recent(&history, 3), ["tea?", "yes", "now"]);
}

#[test]
fn test_recent_of_a_short_history_is_all_of_it() {
    let history = chat(&["hello", "tea?"]);
    assert_eq!(recent(&history, 2), ["hello", "tea?"]);
    assert_eq!(recent(&history, 9), ["hello", "tea?"]);
}

#[test]
fn test_recent_points_into_the_history() {
    let history = chat(&["hello", "tea?", "yes"]);
    assert!(
        std::ptr::eq(recent(&history, 1), &history[2..]),
        "the lines should be those of the history, without a copy"
    );
}

#[test]
fn test_answer_shouts_the_argument() {
    assert_eq!(answer("/shout good morning", &[]), "GOOD MORNING!");
    assert_eq!(answer("/shout öl", &[]), "ÖL!");
}

#[test]
fn test_answer_shows_the_recent_lines_cut_short() {
    let history = chat(&[
        "hello",
        "who would like a cup of tea?",
        "me",
        "für mich Käse bitte",
    ]);
    assert_eq!(
        answer("/recent", &history),
        "who would li\nme\nfür mich Käs\n"
    );
    assert_eq!(answer("/recent", &history[..1]), "hello\n");
}

#[test]
fn test_answer_names_a_command_that_it_does_not_know() {
    assert_eq!(answer("/dance", &[]), "I do not know /dance");
    assert_eq!(answer("/sing a song", &[]), "I do not know /sing");
}

#[test]
fn test_answer_stays_out_of_ordinary_talk() {
    assert_eq!(answer("who wants tea?", &chat(&["hello"])), "");
    assert_eq!(answer("shout it out", &[]), "");
    assert_eq!(answer("/shout tea", &[]), "TEA!");
}
