//! A bot that reads along in a group chat. Lines that begin with `/` are commands for it.

/// What every command begins with.
pub const PREFIX: char = '/';

/// How many lines the command `/recent` shows.
pub const RECENT: usize = 3;

/// How many characters of each line the command `/recent` shows.
pub const PREVIEW: usize = 12;

/// Says whether a line is a command: its very first character is `PREFIX`.
///
/// ex-1 - First principle: a &str parameter takes any text
/// Read: LESSON.md, "Text on loan"
/// Test: test_is_command_when_the_line_begins_with_a_slash
/// Start here: look for the counterpart of `ends_with`
pub fn is_command(line: &str) -> bool {
    line.starts_with(PREFIX)
}

/// Takes a command apart: its word and its argument. The word stands between the slash and the
/// first space, the argument is everything after that space, so `"/shout good morning"` gives
/// `("shout", "good morning")`. Without a space the word goes on to the end of the line and the
/// argument is empty. The line is a command, as `is_command` sees it.
///
/// ex-2 - First principle: a slice is a view into a text
/// Read: LESSON.md, "A view into a text"
/// Test: test_split_command_gives_word_and_argument
/// Start here: name the view that leaves out the slash, then look for the
///     first space in it
pub fn split_command(line: &str) -> (&str, &str) {
    let text = &line[PREFIX.len_utf8()..];
    match text.find(' ') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    }
}

/// The first `limit` characters of a text, or all of it if it has no more than that.
///
/// ex-3 - First principle: characters differ in bytes
/// Read: LESSON.md, "Characters are not bytes"
/// Test: test_preview_shows_the_first_characters
/// Start here: find the byte at which the first character that is too many
///     begins
pub fn preview(text: &str, limit: usize) -> &str {
    match text.char_indices().nth(limit) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

/// The last `count` lines of the history, or all of them if there are no more than that.
/// They are lent, not copied.
///
/// ex-4 - First principle: a slice is a view of a row, too
/// Read: LESSON.md, "A view of a row"
/// Test: test_recent_gives_the_last_lines_in_order
/// Start here: work out the number of the first line that is shown
pub fn recent(history: &[String], count: usize) -> &[String] {
    let start = history.len().saturating_sub(count);
    &history[start..]
}

/// What the bot says to a line.
///
/// - `/shout good morning`: the argument in capital letters and a `!` behind it,
///   `"GOOD MORNING!"`.
/// - `/recent`: the last `RECENT` lines of the history, each cut to `PREVIEW` characters and
///   followed by a line break, `'\n'`.
/// - Any other command, such as `/dance wildly`: `"I do not know /dance"`.
/// - A line that is no command: nothing, an empty text.
///
/// ex-5 - First principle: a new text needs an owner
/// Read: LESSON.md, "A new text needs an owner"
/// Test: test_answer_shouts_the_argument
/// Start here: let lines that are no command leave first, then take the
///     others apart
pub fn answer(line: &str, history: &[String]) -> String {
    if !is_command(line) {
        return String::new();
    }
    let (word, argument) = split_command(line);
    match word {
        "shout" => argument.to_uppercase() + "!",
        "recent" => {
            let mut text = String::new();
            for said in recent(history, RECENT) {
                text.push_str(preview(said, PREVIEW));
                text.push('\n');
            }
            text
        }
        _ => format!("I do not know /{word}"),
    }
}
