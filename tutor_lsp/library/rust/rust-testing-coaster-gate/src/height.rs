//! Reads what the measuring post prints.

/// Why a text is no height.
#[derive(Debug, PartialEq)]
pub enum Misread {
    /// It does not end in `" cm"`.
    Unit,
    /// What stands before that is no whole number.
    Number,
}

/// The height in a text such as `"135 cm"`. The unit is looked at first.
pub fn read_height(text: &str) -> Result<u32, Misread> {
    let number = text.strip_suffix(" cm").ok_or(Misread::Unit)?;
    number.parse().map_err(|_| Misread::Number)
}
