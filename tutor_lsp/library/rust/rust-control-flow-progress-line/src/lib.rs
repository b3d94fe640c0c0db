//! The line that a download shows in the terminal, for example
//! `[####......] 4 MB of 10 MB, 2 min left`.

/// How many places the bar of a progress line has.
pub const BAR_WIDTH: u64 = 10;

/// A place of the bar that is filled.
pub const FULL: char = '#';

/// A place of the bar that is still empty.
pub const EMPTY: char = '.';

/// The name of a size unit: 0 is bytes, and each step up is a thousand times larger. Ready to use.
pub fn unit_name(step: u32) -> &'static str {
    match step {
        0 => "B",
        1 => "kB",
        2 => "MB",
        3 => "GB",
        4 => "TB",
        5 => "PB",
        _ => "EB",
    }
}

/// Says whether a download is complete: at least `total` bytes have arrived.
///
/// ex-1 - First principle: a comparison is a value
/// Read: LESSON.md, "Yes or no without an if"
/// Test: test_is_done_when_every_byte_arrived
/// Start here: say "done is at least total" with one comparison sign
pub fn is_done(done: u64, total: u64) -> bool {
    let _ = (done, total);
    todo!("is_done")
}

/// Draws a bar with `width` places between `[` and `]`: the first `filled` places are `FULL`,
/// the others `EMPTY`, so `bar(3, 5)` is `"[###..]"`. If `filled` is more than `width`,
/// every place is `FULL`.
///
/// ex-2 - First principle: for walks through a range
/// Read: LESSON.md, "Step by step with for"
/// Test: test_bar_fills_the_first_places
/// Start here: begin with a `String` that you can add to, holding the opening
///     bracket
pub fn bar(filled: u64, width: u64) -> String {
    let _ = (filled, width);
    todo!("bar")
}

/// Says how long something still takes: `"42 s"` below a minute, `"2 min"` below an hour,
/// else `"3 h"`. Minutes and hours are rounded down: 119 seconds are `"1 min"`.
///
/// ex-3 - First principle: match covers every case
/// Read: LESSON.md, "One answer for every number"
/// Test: test_time_left_counts_seconds_below_a_minute
/// Start here: write down the last second of the first range, a minute has 60
pub fn time_left(seconds: u64) -> String {
    let _ = seconds;
    todo!("time_left")
}

/// Writes a size with the largest unit that keeps the number at 1 or more, rounded down:
/// 999 is `"999 B"`, 1_000 is `"1 kB"`, 52_999_999 is `"52 MB"`. Units come from `unit_name`.
///
/// ex-4 - First principle: while repeats until it is enough
/// Read: LESSON.md, "As often as it takes"
/// Test: test_size_shows_small_numbers_in_bytes
/// Start here: keep two changing numbers, what is left of the size and the
///     step you are on
pub fn size(bytes: u64) -> String {
    let _ = bytes;
    todo!("size")
}

/// The whole line. While bytes are missing: bar, both sizes and the time left, as in
/// `"[####......] 4 MB of 10 MB, 2 min left"`; `done * BAR_WIDTH / total` places are filled.
/// Once the download is complete: a full bar and the size of `total`, as in
/// `"[##########] 10 MB, done"`. A file of 0 bytes is complete from the start.
///
/// ex-5 - First principle: the special case leaves first
/// Read: LESSON.md, "Special cases leave early"
/// Test: test_progress_line_shows_bar_sizes_and_time
/// Start here: ask `is_done` before you divide by `total`
pub fn progress_line(done: u64, total: u64, seconds: u64) -> String {
    let _ = (done, total, seconds);
    todo!("progress_line")
}
