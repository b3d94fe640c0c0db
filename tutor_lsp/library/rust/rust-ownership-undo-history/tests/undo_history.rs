use exercise::{Note, duplicate, edit, open, undo, versions};

/// Builds a note with a history, for the tests to start from.
fn note(past: &[&str], text: &str, future: &[&str]) -> Note {
    Note {
        text: text.to_string(),
        past: past.iter().map(|text| text.to_string()).collect(),
        future: future.iter().map(|text| text.to_string()).collect(),
    }
}

#[test]
fn test_open_shows_the_text() {
    assert_eq!(open("milk".to_string()).text, "milk");
}

#[test]
fn test_open_starts_without_history() {
    assert_eq!(open("milk".to_string()), note(&[], "milk", &[]));
}

#[test]
fn test_open_moves_the_text_in() {
    let text = "milk".to_string();
    let address = text.as_ptr();
    let opened = open(text);
    assert!(
        opened.text.as_ptr() == address,
        "the note holds a copy: hand over the text itself"
    );
}

#[test]
fn test_edit_shows_the_new_text() {
    let draft = note(&[], "milk", &[]);
    assert_eq!(edit(draft, "milk, tea".to_string()).text, "milk, tea");
}

#[test]
fn test_edit_puts_the_old_text_last_in_the_past() {
    let draft = note(&["milk"], "milk, tea", &[]);
    assert_eq!(edit(draft, "tea".to_string()).past, ["milk", "milk, tea"]);
}

#[test]
fn test_edit_forgets_the_future() {
    let draft = note(&["milk"], "tea", &["rice", "salt"]);
    assert_eq!(
        edit(draft, "jam".to_string()),
        note(&["milk", "tea"], "jam", &[])
    );
}

#[test]
fn test_edit_moves_the_old_text() {
    let draft = note(&[], "milk", &[]);
    let address = draft.text.as_ptr();
    let edited = edit(draft, "tea".to_string());
    assert!(
        edited.past.iter().any(|text| text.as_ptr() == address),
        "the past does not hold the old text itself: move it there, without a copy"
    );
}

#[test]
fn test_undo_shows_the_text_before() {
    let edited = note(&["milk", "tea"], "jam", &[]);
    assert_eq!(undo(edited).text, "tea");
}

#[test]
fn test_undo_keeps_the_undone_text_for_later() {
    let edited = note(&["milk", "tea"], "jam", &["rice"]);
    assert_eq!(undo(edited), note(&["milk"], "tea", &["rice", "jam"]));
}

#[test]
fn test_undo_twice_goes_back_two_texts() {
    let edited = note(&["milk", "tea"], "jam", &[]);
    assert_eq!(undo(undo(edited)), note(&[], "milk", &["jam", "tea"]));
}

#[test]
fn test_undo_without_a_past_changes_nothing() {
    let draft = note(&[], "milk", &["tea"]);
    assert_eq!(undo(draft), note(&[], "milk", &["tea"]));
}

#[test]
fn test_duplicate_makes_a_note_with_the_same_text() {
    let original = note(&["milk"], "tea", &[]);
    assert_eq!(duplicate(original).1.text, "tea");
}

#[test]
fn test_duplicate_gives_the_copy_no_history() {
    let original = note(&["milk"], "tea", &["jam"]);
    assert_eq!(duplicate(original).1, note(&[], "tea", &[]));
}

#[test]
fn test_duplicate_hands_the_original_back_first() {
    let original = note(&["milk"], "tea", &["jam"]);
    assert_eq!(duplicate(original).0, note(&["milk"], "tea", &["jam"]));
}

#[test]
fn test_versions_lists_past_then_the_text_on_screen() {
    let edited = note(&["milk", "tea"], "jam", &[]);
    assert_eq!(versions(edited), ["milk", "tea", "jam"]);
}

#[test]
fn test_versions_ends_with_the_future_in_redo_order() {
    let undone = note(&["milk"], "tea", &["rice", "jam"]);
    assert_eq!(versions(undone), ["milk", "tea", "jam", "rice"]);
}

#[test]
fn test_versions_moves_every_text_out() {
    let undone = note(&["milk"], "tea", &["jam"]);
    let addresses = [
        undone.past[0].as_ptr(),
        undone.text.as_ptr(),
        undone.future[0].as_ptr(),
    ];
    let texts = versions(undone);
    assert!(
        texts.iter().map(|text| text.as_ptr()).eq(addresses),
        "some of these texts are copies: move each one out of the note"
    );
}
