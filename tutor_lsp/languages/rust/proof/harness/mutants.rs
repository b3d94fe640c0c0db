//! Copied into a hidden copy of an exercise: tries wrong versions of its functions, each in a
//! process of its own.
#![allow(missing_docs, dead_code, clippy::all, clippy::pedantic)]

use std::cell::RefCell;
use std::fmt::Debug;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::time::Instant;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};

const TIMES: i64 = 10;
const FLOOR_US: i64 = 30_000;
const VERSION_US: i64 = 500_000;
const CASE_US: i64 = 50_000;
const WALL_S: u32 = 20;
const SHOWN: usize = 300;
const PASSED: i32 = 117;
const LATE: i32 = 3;
const BUDGET_MS: u128 = 500;
const ENDS: usize = 20;
const PROF: i32 = 27;
const ALARM: i32 = 14;

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn pipe(ends: *mut i32) -> i32;
    fn dup2(one: i32, other: i32) -> i32;
    fn _exit(code: i32) -> !;
    fn alarm(seconds: u32) -> u32;
    fn signal(number: i32, handler: usize) -> usize;
    fn setitimer(which: i32, value: *const [i64; 4], old: *mut [i64; 4]) -> i32;
    fn getrusage(who: i32, usage: *mut [i64; 36]) -> i32;
}

pub struct Unit {
    pub unit: &'static str,
    pub versions: &'static [usize],
    pub tests: &'static [(fn() -> bool, bool)],
    pub watched: &'static [fn()],
    pub cases: &'static str,
    pub fails: bool,
}

/// What a test gives back.
pub trait Ending {
    fn is_fine(self) -> bool;
}

impl Ending for () {
    fn is_fine(self) -> bool {
        true
    }
}

impl<T, E> Ending for Result<T, E> {
    fn is_fine(self) -> bool {
        self.is_ok()
    }
}

#[derive(Default, Clone)]
struct Records {
    text: String,
    there: bool,
    outside: bool,
}

thread_local! {
    static CASE: RefCell<[u16; 7]> = RefCell::new([0; 7]);
    static SAID: RefCell<String> = RefCell::new(String::new());
}

pub fn pick(number: u16) -> u16 {
    CASE.with(|case| {
        let case = case.borrow();
        [1, 3, 5].iter().find(|at| case[**at] == number).map_or(0, |at| case[at + 1])
    })
}

pub fn record<T: Debug + ?Sized>(number: u16, value: &T) {
    let text = format!("{value:?}").replace(['\n', '\t'], " ");
    SAID.with(|said| said.borrow_mut().push_str(&format!("{number} {text}\n")));
}

fn limit(microseconds: i64) {
    let value = [0, 0, microseconds / 1_000_000, microseconds % 1_000_000];
    unsafe {
        signal(PROF, 0);
        signal(ALARM, 0);
        setitimer(2, &value, std::ptr::null_mut());
        alarm(WALL_S);
    }
}

fn quiet() {
    set_hook(Box::new(|_| {}));
    if let Ok(nowhere) = OpenOptions::new().write(true).open("/dev/null") {
        unsafe {
            dup2(nowhere.as_raw_fd(), 1);
            dup2(nowhere.as_raw_fd(), 2);
        }
    }
}

fn used() -> i64 {
    let mut usage = [0; 36];
    unsafe { getrusage(-1, &mut usage) };
    (usage[0] + usage[2]) * 1_000_000 + (usage[1] & 0xffff_ffff) + (usage[3] & 0xffff_ffff)
}

fn passes(unit: &Unit, version: usize, microseconds: i64) -> bool {
    let mut status = 0;
    let child = unsafe { fork() };
    if child == 0 {
        quiet();
        limit(microseconds);
        exercise::tutor_choose(version);
        let fine = unit.tests.iter().all(|(test, panics)| match catch_unwind(AssertUnwindSafe(*test)) {
            Ok(fine) => fine && !panics,
            Err(_) => *panics,
        });
        unsafe { _exit(if fine { PASSED } else { 1 }) }
    }
    unsafe { waitpid(child, &mut status, 0) };
    status & 0x7f == 0 && (status >> 8) & 0xff == PASSED
}

/// Runs inputs until the process ends; those that are there already are left out. Returns whether
/// it ended because there was no time left, which only the reference has to look at.
fn run_cases(unit: &Unit, cases: &[[u16; 7]], version: usize, found: &mut [Records]) -> bool {
    let mut ends = [0; 2];
    let mut status = 0;
    if unsafe { pipe(ends.as_mut_ptr()) } != 0 {
        return true;
    }
    let mut source = unsafe { File::from_raw_fd(ends[0]) };
    let mut sink = unsafe { File::from_raw_fd(ends[1]) };
    let child = unsafe { fork() };
    if child == 0 {
        quiet();
        exercise::tutor_choose(version);
        anybody();
        let begun = Instant::now();
        for (at, case) in cases.iter().enumerate() {
            if found[at].there {
                continue;
            }
            if version == 0 && begun.elapsed().as_millis() > BUDGET_MS {
                unsafe { _exit(LATE) }
            }
            limit(CASE_US);
            CASE.with(|chosen| *chosen.borrow_mut() = *case);
            SAID.with(|said| said.borrow_mut().clear());
            let mut outside = 0_u32;
            if let Err(told) = catch_unwind(unit.watched[case[0] as usize]) {
                if told.downcast_ref::<String>().is_some() || told.downcast_ref::<&str>().is_some() {
                    SAID.with(|said| said.borrow_mut().push_str("0 a panic\n"));
                } else {
                    outside = 1;
                }
            }
            let text = SAID.with(|said| said.borrow().clone());
            let mut data = Vec::with_capacity(text.len() + 12);
            for number in [at as u32, text.len() as u32, outside] {
                data.extend(number.to_ne_bytes());
            }
            data.extend(text.as_bytes());
            if sink.write_all(&data).is_err() {
                break;
            }
        }
        unsafe { _exit(0) }
    }
    drop(sink);
    let mut head = [0; 12];
    while source.read_exact(&mut head).is_ok() {
        let number = |at: usize| u32::from_ne_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let mut text = vec![0; number(4) as usize];
        if source.read_exact(&mut text).is_err() {
            break;
        }
        found[number(0) as usize] = Records {
            text: String::from_utf8_lossy(&text).into_owned(),
            there: true,
            outside: number(8) != 0,
        };
    }
    unsafe { waitpid(child, &mut status, 0) };
    status & 0x7f == 0 && (status >> 8) & 0xff == LATE
}

fn anybody() {
    // guard
}

fn tell_apart(version: usize, at: usize, mine: &str, theirs: &str) {
    let mut one = mine.lines();
    let mut other = theirs.lines();
    let (wanted, given) = loop {
        match (one.next(), other.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => break (a.unwrap_or("0 "), b.unwrap_or("0 no result: it crashes or does not end")),
        }
    };
    let (mut record, wanted) = wanted.split_once(' ').unwrap_or(("0", ""));
    let (other, given) = given.split_once(' ').unwrap_or(("0", ""));
    if record == "0" {
        record = other;
    }
    let short = |text: &str| text.chars().take(SHOWN).collect::<String>();
    println!("tutor-apart {version} {at} {record}\t{}\t{}", short(wanted), short(given));
}

fn compare(unit: &Unit, cases: &[[u16; 7]], version: usize, first: &[Records]) {
    let mut found = vec![Records::default(); first.len()];
    for (at, each) in first.iter().enumerate() {
        found[at].there = each.outside;
    }
    run_cases(unit, cases, version, &mut found);
    let mut count = 0;
    for (at, each) in first.iter().enumerate() {
        if each.outside || found[at].outside {
            continue;
        }
        if !found[at].there || found[at].text != each.text {
            tell_apart(version, at, &each.text, &found[at].text);
            return;
        }
        count += 1;
    }
    println!("tutor-alike {version} {count}");
}

/// Try every version of a unit, and print what was found.
pub fn look(unit: &Unit) {
    let before = used();
    if !unit.fails && !passes(unit, 0, 10_000_000) {
        return;
    }
    // a learner's code that fails says nothing of how long a version may take
    let most = if unit.fails { VERSION_US } else { (TIMES * (used() - before)).max(FLOOR_US) };
    let passed: Vec<bool> = unit.versions.iter().map(|each| passes(unit, *each, most)).collect();
    let marks: String = passed.iter().map(|passes| if *passes { 's' } else { 'k' }).collect();
    println!("tutor-mutants {} {marks}", unit.unit);
    if !marks.contains('s') || unit.cases.is_empty() {
        return;
    }
    let numbers: Vec<u16> = unit.cases.split(' ').filter_map(|each| each.parse().ok()).collect();
    let cases: Vec<[u16; 7]> =
        numbers.chunks_exact(7).filter_map(|each| each.try_into().ok()).collect();
    let mut runs = [vec![Records::default(); cases.len()], vec![Records::default(); cases.len()]];
    for found in &mut runs {
        for _ in 0..ENDS {
            let late = run_cases(unit, &cases, 0, found);
            match found.iter_mut().find(|each| !each.there) {
                Some(each) if !late => *each = Records { there: true, outside: true, ..Records::default() },
                _ => break,
            }
        }
        for each in found.iter_mut().filter(|each| !each.there) {
            *each = Records { there: true, outside: true, ..Records::default() };
        }
    }
    let [mut first, again] = runs;
    for (one, other) in first.iter_mut().zip(&again) {
        one.outside |= other.outside || one.text != other.text;
    }
    for (version, _) in unit.versions.iter().zip(&passed).filter(|(_, passes)| **passes) {
        compare(unit, &cases, *version, &first);
    }
}
