use exercise::count;

#[test]
fn test_count() {
    assert_eq!(count("a"), "1");
}
