//! Reads a training log: one run on each line, its time written as minutes and seconds, `27:30`.
//! People wrote it, so there are mistakes in it.

use std::fmt;
use std::num::ParseIntError;

/// What can be wrong with a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogError {
    /// This text should be a whole number.
    NotANumber(String),
    /// So many seconds do not fit into a minute.
    TooManySeconds(u32),
    /// This text has no colon between minutes and seconds.
    NoColon(String),
}

impl fmt::Display for LogError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LogError::NotANumber(text) => write!(formatter, "`{text}` is not a number"),
            LogError::TooManySeconds(seconds) => {
                write!(formatter, "{seconds} seconds are too many")
            }
            LogError::NoColon(text) => write!(formatter, "`{text}` has no colon"),
        }
    }
}

/// A line of the log that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, the first line of the log is 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: LogError,
}

/// Writes seconds the way the log does: `clock(1_650)` is `"27:30"`. Ready to use.
pub fn clock(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Reads a whole number. Blanks before and behind it do not matter. For anything else the error is
/// the one that `parse` gives.
///
/// ex-1 - First principle: Result holds an answer or a reason
/// Read: LESSON.md, "An answer or a reason"
/// Test: test_read_number_reads_digits
/// Start here: `trim` takes the blanks away, `parse` does the rest
pub fn read_number(text: &str) -> Result<u32, ParseIntError> {
    text.trim().parse()
}

/// Reads the seconds of a time, 0 to 59. A larger number is refused with `TooManySeconds`, which
/// holds the number. What is not a number is refused with `NotANumber`, which holds `text` as it
/// came.
///
/// ex-2 - First principle: Err carries a reason of your own
/// Read: LESSON.md, "Reasons with a name"
/// Test: test_read_seconds_reads_what_fits_into_a_minute
/// Start here: `match` on what `read_number` answers
pub fn read_seconds(text: &str) -> Result<u32, LogError> {
    match read_number(text) {
        Ok(seconds) if seconds < 60 => Ok(seconds),
        Ok(seconds) => Err(LogError::TooManySeconds(seconds)),
        Err(_) => Err(LogError::NotANumber(text.to_string())),
    }
}

/// Reads a time such as `"27:30"` and gives it in seconds, `1_650`. Minutes stand before the first
/// colon, and there may be any number of them. Behind it are the seconds, as `read_seconds` reads
/// them. Without a colon the error is `NoColon` with `text`. If the minutes are not a number, it is
/// `NotANumber` with just their text. Minutes are looked at first.
///
/// ex-3 - First principle: ? passes an error on
/// Read: LESSON.md, "Pass it on"
/// Test: test_read_time_gives_seconds
/// Start here: split the text at the colon, and turn the gap into an error
pub fn read_time(text: &str) -> Result<u32, LogError> {
    let (minutes, seconds) = text
        .split_once(':')
        .ok_or_else(|| LogError::NoColon(text.to_string()))?;
    let minutes = read_number(minutes).map_err(|_| LogError::NotANumber(minutes.to_string()))?;
    Ok(minutes * 60 + read_seconds(seconds)?)
}

/// Adds up the times of a log, in seconds. Lines of nothing but blanks are skipped. The first line
/// that cannot be read ends it with a `BadLine`: the number of the line, all lines counted, and
/// what is wrong with it.
///
/// ex-4 - First principle: map_err adds what the caller knows
/// Read: LESSON.md, "Say where it happened"
/// Test: test_total_adds_up_all_times
/// Start here: go along `log.lines()` with `enumerate`, which counts from 0
pub fn total(log: &str) -> Result<u32, BadLine> {
    let mut sum = 0;
    for (index, line) in log.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        sum += read_time(line).map_err(|error| BadLine {
            line: index + 1,
            error,
        })?;
    }
    Ok(sum)
}

/// The text that the runner sees. For a log that can be read it is the total as `clock` writes it,
/// `"62:05 in all"`, or `"No runs yet"` if the total is 0. Otherwise it is the line and what is
/// wrong with it, ``"Line 3: `27.30` has no colon"``.
///
/// ex-5 - First principle: match where something can be done
/// Read: LESSON.md, "Where an error is at home"
/// Test: test_report_shows_the_total
/// Start here: write an arm for each of the three texts
pub fn report(log: &str) -> String {
    match total(log) {
        Ok(0) => String::from("No runs yet"),
        Ok(seconds) => format!("{} in all", clock(seconds)),
        Err(bad) => format!("Line {}: {}", bad.line, bad.error),
    }
}
