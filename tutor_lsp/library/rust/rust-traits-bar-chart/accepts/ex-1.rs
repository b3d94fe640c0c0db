/// The counter never shows less than before.
pub fn accepts(trip: &Trip) -> bool {
    trip.end_km >= trip.start_km
}
