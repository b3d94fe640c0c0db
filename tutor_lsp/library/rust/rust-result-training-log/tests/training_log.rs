use exercise::{BadLine, LogError, read_number, read_seconds, read_time, report, total};

/// The error for a text that is not a number.
fn not_a_number(text: &str) -> LogError {
    LogError::NotANumber(text.to_string())
}

/// The error for a text without a colon.
fn no_colon(text: &str) -> LogError {
    LogError::NoColon(text.to_string())
}

#[test]
fn test_read_number_reads_digits() {
    assert_eq!(read_number("27"), Ok(27));
    assert_eq!(read_number("0"), Ok(0));
    assert_eq!(read_number("1200"), Ok(1_200));
}

#[test]
fn test_read_number_ignores_blanks_around_it() {
    assert_eq!(read_number(" 27  "), Ok(27));
    assert_eq!(read_number("27 "), Ok(27));
}

#[test]
fn test_read_number_refuses_anything_else() {
    assert!(read_number("27b").is_err());
    assert!(read_number("").is_err());
    assert!(read_number("-3").is_err());
    assert!(read_number("3").is_ok());
}

#[test]
fn test_read_seconds_reads_what_fits_into_a_minute() {
    assert_eq!(read_seconds("05"), Ok(5));
    assert_eq!(read_seconds("59"), Ok(59));
    assert_eq!(read_seconds(" 30 "), Ok(30));
}

#[test]
fn test_read_seconds_refuses_sixty_and_more() {
    assert_eq!(read_seconds("60"), Err(LogError::TooManySeconds(60)));
    assert_eq!(read_seconds("730"), Err(LogError::TooManySeconds(730)));
}

#[test]
fn test_read_seconds_names_what_is_not_a_number() {
    assert_eq!(read_seconds("3o"), Err(not_a_number("3o")));
    assert_eq!(read_seconds(" x"), Err(not_a_number(" x")));
    assert_eq!(read_seconds(""), Err(not_a_number("")));
}

#[test]
fn test_read_time_gives_seconds() {
    assert_eq!(read_time("27:30"), Ok(1_650));
    assert_eq!(read_time("0:07"), Ok(7));
    assert_eq!(read_time(" 125:00 "), Ok(7_500));
}

#[test]
fn test_read_time_wants_a_colon() {
    assert_eq!(read_time("27.30"), Err(no_colon("27.30")));
    assert_eq!(read_time("27"), Err(no_colon("27")));
}

#[test]
fn test_read_time_names_the_minutes_that_are_no_number() {
    assert_eq!(read_time("2t:30"), Err(not_a_number("2t")));
    assert_eq!(read_time(":30"), Err(not_a_number("")));
    assert_eq!(read_time("ten:99"), Err(not_a_number("ten")));
}

#[test]
fn test_read_time_passes_on_what_is_wrong_with_the_seconds() {
    assert_eq!(read_time("27:75"), Err(LogError::TooManySeconds(75)));
    assert_eq!(read_time("27:3o"), Err(not_a_number("3o")));
    assert_eq!(read_time("1:27:30"), Err(not_a_number("27:30")));
}

#[test]
fn test_total_adds_up_all_times() {
    assert_eq!(total("27:30\n34:35\n"), Ok(3_725));
    assert_eq!(total("0:07"), Ok(7));
}

#[test]
fn test_total_skips_empty_lines() {
    assert_eq!(total("\n27:30\n   \n\n34:35"), Ok(3_725));
    assert_eq!(total(""), Ok(0));
    assert_eq!(total("\n1:00\n"), Ok(60));
}

#[test]
fn test_total_names_the_line_that_cannot_be_read() {
    let bad = |line, error| Err(BadLine { line, error });
    assert_eq!(total("27.30"), bad(1, no_colon("27.30")));
    assert_eq!(
        total("27:30\n\n34:75\n"),
        bad(3, LogError::TooManySeconds(75))
    );
}

#[test]
fn test_total_ends_at_the_first_bad_line() {
    let error = not_a_number("x");
    assert_eq!(
        total("1:00\nx:00\n2:00\n27.30"),
        Err(BadLine { line: 2, error })
    );
}

#[test]
fn test_report_shows_the_total() {
    assert_eq!(report("27:30\n34:35\n"), "62:05 in all");
    assert_eq!(report("0:07"), "0:07 in all");
}

#[test]
fn test_report_of_an_empty_log() {
    assert_eq!(report(""), "No runs yet");
    assert_eq!(report("\n  \n"), "No runs yet");
}

#[test]
fn test_report_names_line_and_reason() {
    assert_eq!(report("27:30\n\n27.30"), "Line 3: `27.30` has no colon");
    assert_eq!(report("27:75"), "Line 1: 75 seconds are too many");
}
