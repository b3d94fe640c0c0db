use exercise::{bar, is_done, progress_line, size, time_left};

#[test]
fn test_is_done_when_every_byte_arrived() {
    assert!(is_done(500, 500));
    assert!(is_done(501, 500));
}

#[test]
fn test_is_done_not_before_the_last_byte() {
    assert!(!is_done(499, 500));
    assert!(is_done(1, 1));
}

#[test]
fn test_bar_fills_the_first_places() {
    assert_eq!(bar(3, 5), "[###..]");
    assert_eq!(bar(1, 10), "[#.........]");
}

#[test]
fn test_bar_of_nothing_is_all_dots() {
    assert_eq!(bar(0, 4), "[....]");
}

#[test]
fn test_bar_never_grows_past_its_width() {
    assert_eq!(bar(4, 4), "[####]");
    assert_eq!(bar(9, 4), "[####]");
}

#[test]
fn test_time_left_counts_seconds_below_a_minute() {
    assert_eq!(time_left(0), "0 s");
    assert_eq!(time_left(59), "59 s");
}

#[test]
fn test_time_left_counts_whole_minutes_below_an_hour() {
    assert_eq!(time_left(60), "1 min");
    assert_eq!(time_left(119), "1 min");
    assert_eq!(time_left(3_599), "59 min");
}

#[test]
fn test_time_left_counts_whole_hours_from_there() {
    assert_eq!(time_left(3_600), "1 h");
    assert_eq!(time_left(90_000), "25 h");
}

#[test]
fn test_size_shows_small_numbers_in_bytes() {
    assert_eq!(size(0), "0 B");
    assert_eq!(size(999), "999 B");
}

#[test]
fn test_size_moves_to_the_next_unit_at_a_thousand() {
    assert_eq!(size(1_000), "1 kB");
    assert_eq!(size(999_999), "999 kB");
}

#[test]
fn test_size_climbs_as_many_units_as_needed() {
    assert_eq!(size(52_999_999), "52 MB");
    assert_eq!(size(7_000_000_000), "7 GB");
    assert_eq!(size(u64::MAX), "18 EB");
}

#[test]
fn test_progress_line_shows_bar_sizes_and_time() {
    assert_eq!(
        progress_line(4_000_000, 10_000_000, 150),
        "[####......] 4 MB of 10 MB, 2 min left"
    );
    assert_eq!(
        progress_line(999, 1_000, 1),
        "[#########.] 999 B of 1 kB, 1 s left"
    );
}

#[test]
fn test_progress_line_says_done_at_the_end() {
    assert_eq!(
        progress_line(10_000_000, 10_000_000, 0),
        "[##########] 10 MB, done"
    );
    assert_eq!(progress_line(6_000, 5_000, 3), "[##########] 5 kB, done");
}

#[test]
fn test_progress_line_of_an_empty_file_is_done() {
    assert_eq!(progress_line(0, 0, 0), "[##########] 0 B, done");
}
