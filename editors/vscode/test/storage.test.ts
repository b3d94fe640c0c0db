import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { whereToOpen } from "../src/window/paths";
import { ARRIVES_WITHIN, SET_UP_WITHIN, Storage } from "../src/window/storage";

let folder: string;
let living: Set<number>;
let now: number;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  living = new Set([1, 2]);
  now = 1_000_000;
  storage = new Storage(join(folder, "not-yet-there"), (pid) => living.has(pid), () => now);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const PENDING = { argument: { node: "a" }, at: 1_000_000, folder: "/w", pid: 1, tries: 1 };
const ARRIVAL = {
  folder: "/x",
  root: "/x/y",
  file: "/x/y/a.py",
  line: 3,
  lesson: "/x/y/L.md",
  heading: "H",
  made: true,
};

test("what is left for a folder is taken, and again until the editor has kept it itself", () => {
  const arrival = ARRIVAL;
  storage.leaveArrival(arrival);
  assert.equal(storage.takeArrival("/y"), undefined);
  assert.deepEqual(storage.takeArrival("/x"), { arrival, again: false });
  assert.deepEqual(storage.takeArrival("/x"), { arrival, again: true });
  storage.dropArrival("/x");
  assert.equal(storage.takeArrival("/x"), undefined);
  storage.leaveArrival(arrival);
  assert.deepEqual(storage.takeArrival("/x"), { arrival, again: false });
});

test("what was left long ago for a folder no longer counts, not even later", () => {
  storage.leaveArrival(ARRIVAL);
  storage.takeArrival("/x");
  now += ARRIVES_WITHIN + 1;
  assert.equal(storage.takeArrival("/x"), undefined);
  now -= ARRIVES_WITHIN;
  assert.equal(storage.takeArrival("/x"), undefined);
});

test("a set-up of long ago is old, and so is one without a time", () => {
  assert.equal(storage.isOld(PENDING), false);
  now += SET_UP_WITHIN + 1;
  assert.equal(storage.isOld(PENDING), true);
  assert.equal(storage.isOld({ ...PENDING, at: undefined as unknown as number }), true);
});

test("nobody waits for the end of a process that has an old set-up's number by now", () => {
  storage.keepPending("job", PENDING);
  assert.equal(storage.hasUndecided("/w", 2), true);
  now += SET_UP_WITHIN + 1;
  assert.equal(storage.hasUndecided("/w", 2), false);
  living.delete(1);
  assert.equal(storage.hasUndecided("/w", 2), true);
  assert.deepEqual(storage.takeAbandoned("/w"), [PENDING]);
});

test("a set-up is gone on with once its window has ended, by one window on the same folder", () => {
  storage.keepPending("job", PENDING);
  assert.deepEqual(storage.takeAbandoned("/w"), []);
  assert.equal(storage.hasUndecided("/w", 2), true);
  living.delete(1);
  assert.deepEqual(storage.takeAbandoned("/elsewhere"), []);
  assert.equal(storage.hasAbandoned("/w"), true);
  assert.deepEqual(storage.takeAbandoned("/w"), [PENDING]);
  assert.deepEqual(storage.takeAbandoned("/w"), []);
});

test("a set-up whose server died is gone on with by its own window", () => {
  storage.keepPending("job", PENDING);
  assert.deepEqual(storage.takeOwn("/w", 2), []);
  assert.deepEqual(storage.takeOwn("/w", 1), [PENDING]);
});

test("a set-up that has ended is forgotten", () => {
  storage.keepPending("job", PENDING);
  storage.dropPending("job");
  living.delete(1);
  assert.deepEqual(storage.takeAbandoned("/w"), []);
});

test("notes can be taken back", () => {
  storage.note("a", true);
  assert.deepEqual([storage.noted("a"), storage.noted("b")], [true, false]);
  storage.note("a", false);
  assert.equal(storage.noted("a"), false);
});

test("an exercise opens where nothing is in the way", () => {
  const where = (folders: string[], inUse: boolean, goingOn = false, isOfAnother = false): string =>
    whereToOpen("/home/rust/x", { folders, inUse, goingOn, isOfAnother });
  assert.equal(where([], false), "this window");
  assert.equal(where([], true), "new window");
  assert.equal(where(["/project"], false), "new window");
  assert.equal(where(["/home/rust/x"], true), "here");
  assert.equal(where(["/home"], true), "here");
  assert.equal(where(["/home/rust/before"], true, true), "this window");
  assert.equal(where(["/home/rust"], true, true, true), "this window");
  assert.equal(where(["/home/rust"], true, false, true), "new window");
});
