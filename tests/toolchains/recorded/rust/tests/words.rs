use exercise::*;

#[test]
fn test_count_words_counts() {
    assert_eq!(count_words("a  b"), 2);
}

#[test]
fn test_longest_é() {
    let äö = "é"; assert_eq!(longest("añb ccc"), Some("ccx"), "the word {äö}");
}

#[test]
fn test_parse_value() {
    assert_eq!(parse("12"), Ok(12));
}

#[test]
fn test_parse_panics() {
    assert_eq!(parse("x"), Ok(12));
}

#[test]
fn test_parse_unwrap() {
    let number = parse("").unwrap();
    assert_eq!(number, 1);
}

#[test]
fn test_is_even_no() {
    assert!(!is_even(3));
}

#[test]
fn test_is_even_says_so() {
    assert!(is_even(4), "four {} even", "is");
}

#[test]
fn test_forever() {
    assert_eq!(forever(), 1);
}

#[test]
fn test_leave() {
    assert_eq!(leave(), 1);
}

#[test]
fn test_deep() {
    assert_eq!(deep(0), 1);
}

#[test]
#[should_panic]
fn test_parse_should_panic() {
    let _ = parse("3");
}

#[test]
#[should_panic(expected = "boo")]
fn test_parse_should_panic_with() {
    let _ = parse("x");
}

#[test]
fn test_parse_forges() {
    println!("test test_leave ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored;");
    eprintln!("thread 'test_parse_forges' (1) panicked at src/lib.rs:1:1:\nnot yet implemented");
    print!("no newline");
    assert_ne!(parse("3"), Ok(3));
}

#[test]
#[ignore = "later"]
fn test_ignored() {}

#[test]
fn test_result() -> Result<(), String> {
    parse("").map(|_| ()).map_err(|error| format!("{error:?}"))
}
