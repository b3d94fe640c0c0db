/// A unit of at least 1, and a bar that fits into memory.
pub fn accepts<T: Measured + ?Sized>(item: &T, unit: usize) -> bool {
    unit >= 1 && amount_of(item).is_some()
}

/// None where the item itself cannot tell, such as a trip that goes back.
fn amount_of<T: Measured + ?Sized>(item: &T) -> Option<usize> {
    let told = std::panic::AssertUnwindSafe(|| item.amount());
    std::panic::catch_unwind(told).ok().filter(|amount| *amount <= 1_000_000)
}
