// What an exercise window looks like: its settings, the room of code and lesson, a failure's place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsIn, isSpacious, split, widths } from "../src/window/columns";
import { added, focused, takenBack } from "../src/window/folderSettings";
import { home, place, typedAfter, width } from "../src/code/placing";

const HIDDEN = "files.exclude";
const TITLES = "workbench.editor.customLabels.patterns";
const BUTTONS = "workbench.editor.alwaysShowEditorActions";
const FOCUSED = focused();

test("what is missing in a folder's settings is added", () => {
  assert.deepEqual(added(FOCUSED, {}, {}), { changes: FOCUSED, ours: FOCUSED });
});

test("what the learner has in a folder's settings stays, single parts too", () => {
  const there = {
    "editor.minimap.enabled": true,
    [HIDDEN]: { "**/.vscode": false, "**/*.log": true },
    [TITLES]: { "**/LESSON.md": "Read me" },
  };
  const { changes, ours } = added(FOCUSED, there, {});
  const whole = { "breadcrumbs.enabled": false, "editor.stickyScroll.enabled": false, [BUTTONS]: true };
  assert.deepEqual(changes, {
    ...whole,
    [HIDDEN]: { "**/.vscode": false, "**/*.log": true, "**/.tutor": true },
    [TITLES]: { "**/LESSON.md": "Read me", "**/.tutor/coach.md": "Hints and reviews" },
  });
  assert.deepEqual(ours, {
    ...whole,
    [HIDDEN]: { "**/.tutor": true },
    [TITLES]: { "**/.tutor/coach.md": "Hints and reviews" },
  });
});

test("what the learner has taken away does not come back", () => {
  const there = { "breadcrumbs.enabled": false, [HIDDEN]: { "**/.tutor": true } };
  assert.deepEqual(added(FOCUSED, there, FOCUSED), { changes: {}, ours: FOCUSED });
});

test("what was set is taken back, and what is the learner's by now stays", () => {
  const there = {
    "editor.minimap.enabled": true,
    "breadcrumbs.enabled": false,
    "editor.fontSize": 20,
    [HIDDEN]: { "**/.vscode": true, "**/.tutor": true, "**/*.log": true },
  };
  assert.deepEqual(takenBack(there, FOCUSED), {
    "breadcrumbs.enabled": undefined,
    [HIDDEN]: { "**/*.log": true },
  });
  assert.deepEqual(takenBack(FOCUSED, FOCUSED), {
    "editor.minimap.enabled": undefined,
    "breadcrumbs.enabled": undefined,
    "editor.stickyScroll.enabled": undefined,
    [HIDDEN]: undefined,
    [TITLES]: undefined,
    [BUTTONS]: undefined,
  });
  assert.deepEqual(takenBack({}, FOCUSED), {});
});

test("code gets most of the room, and the lesson goes below it where both would be too narrow", () => {
  for (const area of [700, 805, 976, 1232, 2400]) {
    const { orientation, groups } = split(area, 14);
    assert.equal(orientation, 0, String(area));
    const [code = 0, lesson = 0] = groups.map(({ size }) => size);
    assert.ok(Math.abs(code + lesson - 1) < 1e-9 && code >= lesson && lesson >= 1 / 3, String(area));
    assert.ok(columnsIn(code * area, 14) >= 40, String(area));
  }
  assert.equal(split(592, 14).orientation, 1);
  assert.equal(split(805, 24).orientation, 1);
});

test("the side bar stays where there is room for it", () => {
  assert.ok(isSpacious(932, 14));
  assert.ok(!isSpacious(676, 14));
  assert.ok(!isSpacious(932, 20));
});

test("widths are those of groups that stand beside each other", () => {
  assert.deepEqual(widths({ orientation: 0, groups: [{ size: 600 }, { size: 300 }] }), [600, 300]);
  assert.equal(widths({ orientation: 1, groups: [{ size: 600 }, { size: 300 }] }), undefined);
  assert.equal(widths({ orientation: 0, groups: [{ size: 6, groups: [{}, {}] }, { size: 3 }] }), undefined);
  assert.equal(widths({}), undefined);
});

const STUB = { name: 10, first: 14, last: 16 };

test("a failure belongs to the line of the body that was written last", () => {
  assert.equal(home(STUB, []), 16);
  assert.equal(home(STUB, [3, 15, 14]), 15);
  assert.equal(home(STUB, [17, 10]), 16);
});

test("it is said behind that line, or the nearest one that has room for it", () => {
  const lines = Array.from({ length: 40 }, () => 50);
  const at = (text: string, widths: number[]) => place(text, 15, STUB, widths, 60);
  assert.deepEqual(at("short", lines), { line: 15, text: "short", cut: false });
  const roomy = lines.map((each, at) => (at === 14 ? 5 : each)).map((each, at) => (at === 17 ? 0 : each));
  assert.equal(at("x".repeat(40), roomy).line, 14);
  assert.equal(at("x".repeat(55), roomy).line, 17);
  assert.deepEqual(at("x".repeat(90), roomy), { line: 17, text: `${"x".repeat(56)}…`, cut: true });
});

test("where room is short, how many tests fail is left to the lens", () => {
  const said = "tip(5, 10) gave 5, expected 50 (2 of 2 tests)";
  const lines = Array.from({ length: 40 }, () => 0);
  assert.equal(place(said, 15, STUB, lines, 50).text, said);
  assert.equal(place(said, 15, STUB, lines, 40).text, "tip(5, 10) gave 5, expected 50");
});

test("it is never said behind a line that is not the stub's, nor beyond the file", () => {
  const lines = Array.from({ length: 18 }, (_, line) => (line < 10 || line > 17 ? 0 : 58));
  const { line, text } = place("x".repeat(30), 16, STUB, lines.slice(0, 17), 60);
  assert.ok(line >= 10 && line < 17 && text.length === 16);
});

test("what was written where is known after lines come and go", () => {
  const once = typedAfter([], { first: 5, last: 5, lineEnds: 0 });
  assert.deepEqual(once, [5]);
  assert.deepEqual(typedAfter(once, { first: 2, last: 2, lineEnds: 3 }), [5, 8]);
  assert.deepEqual(typedAfter([9, 3], { first: 1, last: 4, lineEnds: 0 }), [1, 6]);
});

test("a tab takes the columns up to the next stop", () => {
  assert.equal(width("\tx\ty", 4), 9);
});
