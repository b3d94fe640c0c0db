/// Any text whose only blanks are spaces.
pub fn accepts(text: &str) -> bool {
    has_plain_blanks(text)
}

fn has_plain_blanks(text: &str) -> bool {
    text.chars().all(|sign| sign == ' ' || !sign.is_whitespace())
}
