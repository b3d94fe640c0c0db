pub fn count(text: &str) -> usize {
    let unused = 1;
    let ä = "ö"; let n: usize = text;
    n + missing
}
