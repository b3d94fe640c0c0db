/// A log whose only blanks are spaces and line breaks, and the name of a field.
pub fn accepts(log: &str, name: &str) -> bool {
    is_name(name) && has_plain_blanks(log)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|sign| sign != '=' && !sign.is_whitespace())
}

fn has_plain_blanks(text: &str) -> bool {
    text.chars().all(|sign| matches!(sign, ' ' | '\n') || !sign.is_whitespace())
}
