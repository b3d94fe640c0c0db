use exercise::till::Till;

#[test]
fn test_till_begins_with_its_change() {
    let till = Till::with_change(500);
    let (total, sales): (u32, u32) = (till.total(), till.sales());
    assert_eq!((total, sales), (500, 0));
    assert_eq!(Till::with_change(0).total(), 0);
}

#[test]
fn test_till_adds_up_what_it_takes() {
    let mut till = Till::with_change(500);
    till.take(250);
    assert_eq!(till.total(), 750);
    till.take(50);
    assert_eq!(till.total(), 800);
}

#[test]
fn test_till_counts_each_sale() {
    let mut till = Till::with_change(0);
    till.take(250);
    till.take(50);
    till.take(1);
    assert_eq!(till.sales(), 3);
}

#[test]
fn test_till_counts_no_sale_without_money() {
    let mut till = Till::with_change(0);
    till.take(0);
    assert_eq!(till.sales(), 0);
    till.take(5);
    till.take(0);
    assert_eq!((till.total(), till.sales()), (5, 1));
}
