//! The memory behind an undo key. Every function takes a note by value, so it owns the note while
//! it works, and hands a note back to the caller.

/// A note and all the texts that it has had.
#[derive(Debug, PartialEq, Eq)]
pub struct Note {
    /// The text on the screen.
    pub text: String,
    /// Earlier texts, oldest first. Undo goes back to the last one.
    pub past: Vec<String>,
    /// Undone texts. The one undone most recently is last, and is the next to come back.
    pub future: Vec<String>,
}

/// Opens a new note that shows `text` and has neither past nor future.
/// The text is moved into the note, not copied.
///
/// ex-1 - First principle: a move hands a value to its new owner
/// Read: LESSON.md, "One owner at a time"
/// Test: test_open_shows_the_text
/// Start here: write a `Note`, and give each of its three fields a value
pub fn open(text: String) -> Note {
    Note {
        text,
        past: Vec::new(),
        future: Vec::new(),
    }
}

/// Replaces the text on the screen by `text`. The old text is moved, not copied, to the end of
/// `past`. A new text cannot follow undone ones, so `future` is empty afterwards.
///
/// ex-2 - First principle: a field can be moved out and filled again
/// Read: LESSON.md, "Out of a field and back in"
/// Test: test_edit_shows_the_new_text
/// Start here: give the note a `mut`, then find a new home for the old text
pub fn edit(mut note: Note, text: String) -> Note {
    note.past.push(note.text);
    note.text = text;
    note.future.clear();
    note
}

/// Takes back one edit: the last text of `past` leaves it and comes onto the screen, the text that
/// was there goes to the end of `future`. A note without a past is handed back unchanged.
///
/// ex-3 - First principle: pop hands over the last value
/// Read: LESSON.md, "Out of a vector"
/// Test: test_undo_shows_the_text_before
/// Start here: ask `past` for its last text, and mind that there may be none
pub fn undo(mut note: Note) -> Note {
    if let Some(previous) = note.past.pop() {
        note.future.push(note.text);
        note.text = previous;
    }
    note
}

/// Makes a second note with the same text and without any history. Handed back are the original,
/// unchanged, and then the new note.
///
/// ex-4 - First principle: clone makes a second value with its own owner
/// Read: LESSON.md, "When two owners need the value"
/// Test: test_duplicate_makes_a_note_with_the_same_text
/// Start here: open the new note while the original is still yours
pub fn duplicate(note: Note) -> (Note, Note) {
    let copy = open(note.text.clone());
    (note, copy)
}

/// Ends a note and hands out all of its texts: the past, oldest first, then the text on the
/// screen, then the future, the next to come back first. All are moved, none is copied.
///
/// ex-5 - First principle: an owner may take its value apart
/// Read: LESSON.md, "Taking a value apart"
/// Test: test_versions_lists_past_then_the_text_on_screen
/// Start here: split the note into its three fields with one `let`
pub fn versions(note: Note) -> Vec<String> {
    let Note {
        text,
        mut past,
        future,
    } = note;
    past.push(text);
    for text in future.into_iter().rev() {
        past.push(text);
    }
    past
}
