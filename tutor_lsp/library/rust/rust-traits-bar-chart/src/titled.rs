// What a page has above its chart: the trait `Titled` with two methods, both
// on `&self` and both giving a `String`. Every type writes its own `title`.
// Its `heading` comes for free: the title, and on the next line a `=` for
// each of its letters, both with a `'\n'` at their end. `Trip` keeps the
// trait as well: for a trip to Bern, `trip.title()` is `"Trip to Bern"` and
// `trip.heading()` is `"Trip to Bern\n============\n"`.
//
// ex-6 - First principle: whoever writes the trait decides what is asked
// Read: LESSON.md, "A promise of your own"
// Test: test_titled_gives_each_type_a_heading
// Start here: which of the two methods does the trait itself know how to do?
