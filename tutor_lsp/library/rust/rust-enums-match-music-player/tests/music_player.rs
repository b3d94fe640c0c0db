use exercise::{
    Button, Event, LAST_TRACK, State, TRACK_SECONDS, display, is_audible, press, run, tick,
};

/// A player in the middle of a track, for the tests to start from.
fn playing(track: u32, second: u32) -> State {
    State::Playing { track, second }
}

/// The same, paused.
fn paused(track: u32, second: u32) -> State {
    State::Paused { track, second }
}

#[test]
fn test_is_audible_while_playing() {
    assert!(is_audible(playing(1, 0)));
    assert!(is_audible(playing(7, 93)));
    assert!(!is_audible(State::Stopped));
}

#[test]
fn test_is_audible_not_when_paused_or_stopped() {
    assert!(!is_audible(paused(7, 93)));
    assert!(!is_audible(State::Stopped));
    assert!(is_audible(playing(7, 93)));
}

#[test]
fn test_display_of_a_stopped_player() {
    assert_eq!(display(State::Stopped), "stopped");
}

#[test]
fn test_display_shows_track_and_time() {
    assert_eq!(display(playing(3, 65)), "track 3 at 1:05");
    assert_eq!(display(playing(9, 0)), "track 9 at 0:00");
}

#[test]
fn test_display_tells_when_it_is_paused() {
    assert_eq!(display(paused(3, 65)), "track 3 at 1:05 (paused)");
}

#[test]
fn test_tick_moves_on_by_a_second() {
    assert_eq!(tick(playing(2, 64)), playing(2, 65));
    assert_eq!(tick(playing(LAST_TRACK, 0)), playing(LAST_TRACK, 1));
}

#[test]
fn test_tick_goes_on_to_the_next_track() {
    assert_eq!(tick(playing(2, TRACK_SECONDS - 2)), playing(2, 179));
    assert_eq!(tick(playing(2, TRACK_SECONDS - 1)), playing(3, 0));
}

#[test]
fn test_tick_stops_after_the_last_track() {
    let end = playing(LAST_TRACK, TRACK_SECONDS - 1);
    assert_eq!(tick(end), State::Stopped);
    assert_eq!(
        tick(playing(LAST_TRACK - 1, TRACK_SECONDS - 1)),
        playing(LAST_TRACK, 0)
    );
}

#[test]
fn test_tick_leaves_a_silent_player_alone() {
    assert_eq!(tick(State::Stopped), State::Stopped);
    assert_eq!(tick(paused(2, 64)), paused(2, 64));
    assert_eq!(tick(paused(2, TRACK_SECONDS - 1)), paused(2, 179));
    assert_eq!(tick(playing(2, 0)), playing(2, 1));
}

#[test]
fn test_press_play_pause_starts_halts_and_goes_on() {
    assert_eq!(press(State::Stopped, Button::PlayPause), playing(1, 0));
    assert_eq!(press(playing(4, 20), Button::PlayPause), paused(4, 20));
    assert_eq!(press(paused(4, 20), Button::PlayPause), playing(4, 20));
}

#[test]
fn test_press_stop_ends_it_in_every_state() {
    assert_eq!(press(playing(4, 20), Button::Stop), State::Stopped);
    assert_eq!(press(paused(4, 20), Button::Stop), State::Stopped);
    assert_eq!(press(State::Stopped, Button::Stop), State::Stopped);
    assert_eq!(press(State::Stopped, Button::PlayPause), playing(1, 0));
}

#[test]
fn test_press_jump_plays_that_track() {
    assert_eq!(press(playing(4, 20), Button::Jump(7)), playing(7, 0));
    assert_eq!(press(paused(4, 20), Button::Jump(4)), playing(4, 0));
    assert_eq!(press(State::Stopped, Button::Jump(1)), playing(1, 0));
    assert_eq!(
        press(State::Stopped, Button::Jump(LAST_TRACK)),
        playing(9, 0)
    );
}

#[test]
fn test_press_jump_to_no_track_changes_nothing() {
    assert_eq!(press(playing(4, 20), Button::Jump(10)), playing(4, 20));
    assert_eq!(press(paused(4, 20), Button::Jump(0)), paused(4, 20));
    assert_eq!(press(State::Stopped, Button::Jump(99)), State::Stopped);
    assert_eq!(press(paused(4, 20), Button::Jump(5)), playing(5, 0));
}

#[test]
fn test_run_presses_buttons_in_order() {
    let story = [
        Event::Press(Button::Jump(5)),
        Event::Press(Button::PlayPause),
    ];
    assert_eq!(run(&story), paused(5, 0));
    assert_eq!(run(&story[..1]), playing(5, 0));
    assert_eq!(run(&[]), State::Stopped);
}

#[test]
fn test_run_waits_second_by_second() {
    let start = Event::Press(Button::PlayPause);
    assert_eq!(run(&[start, Event::Wait(65)]), playing(1, 65));
    assert_eq!(run(&[start, Event::Wait(TRACK_SECONDS + 7)]), playing(2, 7));
    assert_eq!(run(&[Event::Wait(9), start, Event::Wait(0)]), playing(1, 0));
}

#[test]
fn test_run_plays_a_whole_evening() {
    let mut evening = vec![
        Event::Press(Button::Jump(8)),
        Event::Wait(170),
        Event::Press(Button::PlayPause),
        Event::Wait(3_600),
        Event::Press(Button::PlayPause),
        Event::Wait(30),
    ];
    assert_eq!(run(&evening), playing(9, 20));
    evening.push(Event::Wait(160));
    assert_eq!(run(&evening), State::Stopped);
}
