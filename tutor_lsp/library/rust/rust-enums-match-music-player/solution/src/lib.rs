//! The brain of a music player with three buttons and a small display.

/// The number of the last track. The first one is 1.
pub const LAST_TRACK: u32 = 9;

/// How many seconds every track has. While a track plays, they are counted from 0.
pub const TRACK_SECONDS: u32 = 180;

/// What the player does at the moment: exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Silent, and at no place in particular.
    Stopped,
    /// A track can be heard. `second` says how many seconds of it are over.
    Playing { track: u32, second: u32 },
    /// Silent, but the place in the track is kept.
    Paused { track: u32, second: u32 },
}

/// What somebody can press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// Starts, halts or goes on.
    PlayPause,
    /// Ends it all.
    Stop,
    /// Goes to the beginning of the track with that number.
    Jump(u32),
}

/// What can happen to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A button is pressed.
    Press(Button),
    /// So many seconds go by.
    Wait(u32),
}

/// Writes seconds as minutes and seconds: `clock(65)` is `"1:05"`. Ready to use.
pub fn clock(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Says whether music can be heard: only while a track is playing.
///
/// ex-1 - First principle: matches! asks for one kind
/// Read: LESSON.md, "One of several kinds"
/// Test: test_is_audible_while_playing
/// Start here: ask `matches!` for the one kind that makes sound, whatever its
///     fields hold
pub fn is_audible(state: State) -> bool {
    matches!(state, State::Playing { .. })
}

/// What the display shows. A stopped player says `"stopped"`. A playing one shows track and time,
/// as in `"track 3 at 1:05"`, and a paused one the same with a note, `"track 3 at 1:05 (paused)"`.
/// The time is written by `clock`.
///
/// ex-2 - First principle: match takes the data out
/// Read: LESSON.md, "A kind with its data"
/// Test: test_display_of_a_stopped_player
/// Start here: write one arm for each kind, with its fields in the pattern
pub fn display(state: State) -> String {
    match state {
        State::Stopped => String::from("stopped"),
        State::Playing { track, second } => format!("track {track} at {}", clock(second)),
        State::Paused { track, second } => format!("track {track} at {} (paused)", clock(second)),
    }
}

/// What the player does a second later. A playing one is a second further. If that second was the
/// track's last, it is at second 0 of the next track, and after the last track it is stopped. A
/// player that is stopped or paused stays as it is.
///
/// ex-3 - First principle: the first fitting arm wins
/// Read: LESSON.md, "Finer than kinds"
/// Test: test_tick_moves_on_by_a_second
/// Start here: playing has three cases, begin with the one in which the track
///     is not over
pub fn tick(state: State) -> State {
    match state {
        State::Playing { track, second } if second + 1 < TRACK_SECONDS => State::Playing {
            track,
            second: second + 1,
        },
        State::Playing {
            track: LAST_TRACK, ..
        } => State::Stopped,
        State::Playing { track, .. } => State::Playing {
            track: track + 1,
            second: 0,
        },
        State::Stopped | State::Paused { .. } => state,
    }
}

/// What a button does.
///
/// - `PlayPause` starts a stopped player with track 1 at second 0, pauses a playing one, and lets a
///   paused one play on, at the place where it is.
/// - `Stop` stops it in every state.
/// - `Jump` plays the track with that number from second 0, in every state. If there is no track
///   with that number, nothing changes.
///
/// ex-4 - First principle: match decides on two values at once
/// Read: LESSON.md, "Two values, one table"
/// Test: test_press_play_pause_starts_halts_and_goes_on
/// Start here: match on the pair of state and button, with the shortest row
///     of the table first
pub fn press(state: State, button: Button) -> State {
    match (state, button) {
        (_, Button::Stop) => State::Stopped,
        (State::Stopped, Button::PlayPause) => State::Playing {
            track: 1,
            second: 0,
        },
        (State::Playing { track, second }, Button::PlayPause) => State::Paused { track, second },
        (State::Paused { track, second }, Button::PlayPause) => State::Playing { track, second },
        (_, Button::Jump(track @ 1..=LAST_TRACK)) => State::Playing { track, second: 0 },
        (_, Button::Jump(_)) => state,
    }
}

/// Plays a whole story: what a player that was stopped does after all these events, in their order.
///
/// ex-5 - First principle: what happens can be data, too
/// Read: LESSON.md, "A story as a list"
/// Test: test_run_presses_buttons_in_order
/// Start here: keep the state in a variable, and let each event change it
pub fn run(events: &[Event]) -> State {
    let mut state = State::Stopped;
    for event in events {
        match *event {
            Event::Press(button) => state = press(state, button),
            Event::Wait(seconds) => {
                for _ in 0..seconds {
                    state = tick(state);
                }
            }
        }
    }
    state
}
