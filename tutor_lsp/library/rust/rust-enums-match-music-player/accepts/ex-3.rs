/// Any state that a player can be in.
pub fn accepts(state: State) -> bool {
    is_state(state)
}

fn is_state(state: State) -> bool {
    match state {
        State::Stopped => true,
        State::Playing { track, second } | State::Paused { track, second } => {
            (1..=LAST_TRACK).contains(&track) && second < TRACK_SECONDS
        }
    }
}
