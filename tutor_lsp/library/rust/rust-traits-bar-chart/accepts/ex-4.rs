/// Any number and any noun.
pub fn accepts(_number: &usize, _noun: &str) -> bool {
    true
}
