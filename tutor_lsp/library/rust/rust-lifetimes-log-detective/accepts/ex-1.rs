/// Texts as times are made of: the alphabet decides.
pub fn accepts(one: &str, other: &str) -> bool {
    [one, other].iter().all(|time| time.chars().all(|sign| sign == ':' || sign.is_ascii_digit()))
}
