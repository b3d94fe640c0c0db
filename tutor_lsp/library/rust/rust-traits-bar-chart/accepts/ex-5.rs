/// Any items that can tell their size.
pub fn accepts<T: Measured>(items: &[T]) -> bool {
    items.iter().all(|item| amount_of(item).is_some())
}

/// None where the item itself cannot tell, such as a trip that goes back.
fn amount_of<T: Measured + ?Sized>(item: &T) -> Option<usize> {
    let told = std::panic::AssertUnwindSafe(|| item.amount());
    std::panic::catch_unwind(told).ok().filter(|amount| *amount <= 1_000_000)
}
