/// Any text whose only blanks are spaces, and minutes that fit into seconds.
pub fn accepts(text: &str) -> bool {
    !text.contains('\n') && is_log(text)
}

/// The sum of the minutes, as far as they are numbers, fits into seconds.
fn is_log(log: &str) -> bool {
    let plain = log.chars().all(|sign| matches!(sign, ' ' | '\n') || !sign.is_whitespace());
    let minutes: u64 = log
        .lines()
        .filter_map(|line| line.split_once(':')?.0.trim().parse::<u32>().ok())
        .map(u64::from)
        .sum();
    plain && minutes < 10_000_000
}
