use exercise::{Entry, Search, Tally, field, later, top};

/// A log in which a machine with a slow clock wrote some lines too late.
const LOG: &str = "\
12:00:01 web: started
12:03:55 web: login user=ada from=10.0.0.7
12:04:10 db: slow query took=2100 user=lin
--- log rotated ---
12:04:02 web: login user=tom from=10.0.0.9
12:09:30 web: logout user=lin
12:06:00 db: slow query user=lin took=900
12:10:00 web: stopped
";

#[test]
fn test_later_is_the_time_that_comes_last() {
    assert_eq!(later("12:03:55", "12:04:10"), "12:04:10");
    assert_eq!(later("09:59:59", "10:00:00"), "10:00:00");
}

#[test]
fn test_later_does_not_care_about_the_order() {
    assert_eq!(later("12:04:10", "12:03:55"), "12:04:10");
    assert_eq!(later("07:30:00", "07:30:00"), "07:30:00");
}

#[test]
fn test_field_finds_the_value() {
    let text = "login user=ada from=10.0.0.7";
    assert_eq!(field(text, "user"), Some("ada"));
    assert_eq!(field(text, "from"), Some("10.0.0.7"));
    assert_eq!(field(text, "took"), None);
}

#[test]
fn test_field_wants_the_whole_name() {
    let text = "the user superuser=eve use=rarely user=ada";
    assert_eq!(field(text, "user"), Some("ada"));
    assert_eq!(field(text, "use"), Some("rarely"));
    assert_eq!(field("superuser=eve user", "user"), None);
}

#[test]
fn test_field_takes_the_first_one() {
    assert_eq!(field("user=ada user=lin", "user"), Some("ada"));
    assert_eq!(field("sum=1=1 sum=2", "sum"), Some("1=1"));
}

#[test]
fn test_field_outlives_the_name() {
    let text = String::from("login user=ada");
    let found = {
        let name = String::from("user");
        field(&text, &name)
    };
    assert_eq!(found, Some("ada"));
}

#[test]
fn test_parse_takes_a_line_apart() {
    assert_eq!(
        Entry::parse("12:00:01 web: started"),
        Some(Entry {
            time: "12:00:01",
            source: "web",
            text: "started",
        })
    );
}

#[test]
fn test_parse_cuts_at_the_first_marks() {
    assert_eq!(
        Entry::parse("12:00:02 web:8080 front: error: disk: full"),
        Some(Entry {
            time: "12:00:02",
            source: "web:8080 front",
            text: "error: disk: full",
        })
    );
}

#[test]
fn test_parse_refuses_other_lines() {
    assert_eq!(Entry::parse("started"), None);
    assert_eq!(Entry::parse("12:00:01 web started"), None);
    assert_eq!(Entry::parse(""), None);
    assert!(Entry::parse("12:00:01 web: ").is_some());
}

#[test]
fn test_parse_gives_views_of_the_log() {
    let log = String::from("12:00:01 web: started\n");
    let entry = {
        let line = log.trim_end();
        Entry::parse(line)
    };
    assert_eq!(entry.map(|entry| entry.text), Some("started"));
    assert_eq!(
        entry.map(|entry| entry.source.as_ptr()),
        Some(log[9..].as_ptr())
    );
}

#[test]
fn test_next_hit_finds_entries_with_the_field() {
    let mut search = Search::new(LOG, "user");
    let first = search.next_hit().map(|entry| entry.time);
    assert_eq!(first, Some("12:03:55"));
    let second = search.next_hit().map(|entry| entry.time);
    assert_eq!(second, Some("12:04:10"));
}

#[test]
fn test_next_hit_skips_what_does_not_fit() {
    let mut search = Search::new(LOG, "from");
    let first = search.next_hit().map(|entry| entry.text);
    assert_eq!(first, Some("login user=ada from=10.0.0.7"));
    let second = search.next_hit().map(|entry| entry.text);
    assert_eq!(second, Some("login user=tom from=10.0.0.9"));
    assert_eq!(search.next_hit(), None);
    assert_eq!(search.next_hit(), None);
    let mut search = Search::new("07:00:00 a: no user yet\n07:00:01 b: user=ada", "user");
    assert_eq!(search.next_hit().map(|entry| entry.source), Some("b"));
}

#[test]
fn test_next_hit_reads_a_last_line_without_its_end() {
    let mut search = Search::new("\n\n12:00:02 db: ready user=eve", "user");
    let last = search.next_hit().map(|entry| entry.source);
    assert_eq!(last, Some("db"));
    assert_eq!(search.next_hit(), None);
}

#[test]
fn test_next_hit_outlives_the_search() {
    let log = LOG.to_string();
    let hits = {
        let name = String::from("took");
        let mut search = Search::new(&log, &name);
        [search.next_hit(), search.next_hit()]
    };
    let texts = hits.map(|hit| hit.map(|entry| entry.text));
    assert_eq!(
        texts,
        [
            Some("slow query took=2100 user=lin"),
            Some("slow query user=lin took=900"),
        ]
    );
}

#[test]
fn test_top_is_the_value_with_most_entries() {
    let log = LOG.to_string();
    let found = {
        let name = String::from("user");
        top(&log, &name)
    };
    let found = found.map(|tally| (tally.value, tally.count));
    assert_eq!(found, Some(("lin", 3)));
}

#[test]
fn test_top_knows_the_latest_time() {
    assert_eq!(
        top(LOG, "user"),
        Some(Tally {
            value: "lin",
            count: 3,
            last: "12:09:30",
        })
    );
}

#[test]
fn test_top_in_a_tie_is_the_value_seen_first() {
    let log = "08:00:00 a: x=zoo\n08:00:01 a: x=ant\n08:00:02 a: x=zoo\n08:00:03 a: x=ant";
    assert_eq!(top(log, "x").map(|tally| tally.value), Some("zoo"));
    assert_eq!(top(LOG, "from").map(|tally| tally.value), Some("10.0.0.7"));
    assert_eq!(top(LOG, "took").map(|tally| tally.value), Some("2100"));
}

#[test]
fn test_top_of_a_field_that_nobody_has() {
    assert_eq!(top(LOG, "password"), None);
    assert_eq!(top("", "user"), None);
    assert_eq!(top(LOG, "took").map(|tally| tally.count), Some(1));
}
