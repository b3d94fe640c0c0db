/// Words with spaces between them, and the name of a field.
pub fn accepts(text: &str, name: &str) -> bool {
    is_name(name) && has_plain_blanks(text)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|sign| sign != '=' && !sign.is_whitespace())
}

fn has_plain_blanks(text: &str) -> bool {
    text.chars().all(|sign| sign == ' ' || !sign.is_whitespace())
}
