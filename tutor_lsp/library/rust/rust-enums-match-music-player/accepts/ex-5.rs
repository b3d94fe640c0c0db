/// Any events that end today.
pub fn accepts(events: &[Event]) -> bool {
    events.iter().all(|event| match event {
        Event::Wait(seconds) => *seconds <= 100_000,
        Event::Press(_) => true,
    })
}
