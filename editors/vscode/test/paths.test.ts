import assert from "node:assert/strict";
import { test } from "node:test";
import {
  exerciseRoot,
  headingAt,
  headingSlug,
  isHome,
  isInside,
  isReading,
  sessionFile,
} from "../src/window/paths";

/** A disk on which exactly these folders are exercises. */
function exercises(...roots: string[]): (file: string) => boolean {
  const records = new Set(roots.map((root) => `${root}/.tutor/exercise.json`));
  return (file) => records.has(file);
}

test("a folder holds itself and what lies below", () => {
  assert.equal(isInside("/w/one", "/w/one"), true);
  assert.equal(isInside("/w/one", "/w/one/src/lib.rs"), true);
  assert.equal(isInside("/w/one", "/w/one/..hidden"), true);
});

test("a folder does not hold its parent, its sibling or one whose name begins like its own", () => {
  assert.equal(isInside("/w/one", "/w"), false);
  assert.equal(isInside("/w/one", "/w/one-2/src/lib.rs"), false);
  assert.equal(isInside("/w/one", "/w/one/../two/a.rs"), false);
});

test("the exercise of a file is the nearest folder with a record", () => {
  const disk = exercises("/home/outer", "/home/outer/inner");
  assert.equal(exerciseRoot("/home/outer/inner/src/lib.rs", disk), "/home/outer/inner");
  assert.equal(exerciseRoot("/home/outer/src/lib.rs", disk), "/home/outer");
  assert.equal(exerciseRoot("/home/outer", disk), "/home/outer");
  assert.equal(exerciseRoot("/home/other/lib.rs", disk), undefined);
});

test("a window on a part of an exercise means that exercise", () => {
  const disk = exercises("/home/outer");
  const places = { active: undefined, visible: [], folders: ["/project", "/home/outer/src/exercise"] };
  assert.equal(sessionFile(places, disk), "/home/outer/LESSON.md");
});

test("the tutor's home is known by the record in it, and its exercises by their place", () => {
  const disk = (file: string): boolean => file === "/ann/tutor-lsp/tutor.db";
  assert.equal(isHome("/ann/tutor-lsp", disk), true);
  assert.equal(isHome("/ann/tutor-lsp/exercises", disk), true);
  assert.equal(isHome("/ann/tutor-lsp/backups", disk), false);
  assert.equal(isHome("/ann/exercises", disk), false);
});

test("the session is that of the active file, though others are visible", () => {
  const places = { active: "/b/src/x.py", visible: ["/a/src/x.py"], folders: ["/a"] };
  assert.equal(sessionFile(places, exercises("/a", "/b")), "/b/src/x.py");
});

test("a file outside any exercise is passed over for a visible one of an exercise", () => {
  const places = { active: "/notes/todo.txt", visible: ["/a/src/x.py"], folders: [] };
  assert.equal(sessionFile(places, exercises("/a")), "/a/src/x.py");
});

test("without an editor the window's own exercise is meant", () => {
  const places = { active: undefined, visible: [], folders: ["/other", "/a"] };
  assert.equal(sessionFile(places, exercises("/a")), "/a/LESSON.md");
});

test("a window without an exercise names no file", () => {
  const places = { active: "/x/y.rs", visible: ["/x/y.rs"], folders: ["/x"] };
  assert.equal(sessionFile(places, exercises("/a")), undefined);
});

test("headings become the ids of the rendered lesson", () => {
  assert.equal(headingSlug("Arena layout and bump pointers"), "arena-layout-and-bump-pointers");
  assert.equal(headingSlug("1. What's `Option<T>`?"), "1-whats-optiont");
  assert.equal(headingSlug("  Größe & Länge  "), "größe--länge");
  assert.equal(headingSlug("snake_case stays"), "snake_case-stays");
});

test("a line of the lesson belongs to the heading above it, code blocks apart", () => {
  const text = ["intro", "# Title", "text", "```sh", "# not a heading", "```", "## Two ##", "x"];
  const at = (line: number) => headingAt(text.join("\r\n"), line);
  assert.equal(at(0), undefined);
  assert.equal(at(1), "Title");
  assert.equal(at(5), "Title");
  assert.equal(at(6), "Two");
  assert.equal(at(99), "Two");
});

test("only Markdown of an exercise is shown rendered", () => {
  const disk = exercises("/a");
  assert.equal(isReading("/a/LESSON.md", disk), true);
  assert.equal(isReading("/a/.tutor/coach.md", disk), true);
  assert.equal(isReading("/a/src/lib.rs", disk), false);
  assert.equal(isReading("/b/README.md", disk), false);
});

