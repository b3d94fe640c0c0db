// The best result of a game so far, whatever results are: points, seconds,
// names of cards. `HighScore::unset()` has none. `score.enter(30)` keeps a
// result that is greater than the best so far, the first one in any case, and
// says whether it was kept. `score.best()` lends the best one: after
// `enter(30)`, `enter(25)` and `enter(41)` it is `Some(&41)`, and without any
// result `None`. A high score exists for every type, also for one whose
// values cannot be compared; only `enter` asks that they can.
//
// ex-6 - First principle: a type asks nothing, a method what it uses
// Read: LESSON.md, "A generic type of your own"
// Test: test_high_score_keeps_the_greatest
// Start here: what does a high score hold before the first game?
