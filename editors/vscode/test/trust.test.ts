import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { restricted, trustText } from "../src/words/messages";
import { type Arrival, Storage } from "../src/window/storage";
import {
  folderToOpen,
  isForTrust,
  noteArrival,
  noteTrust,
  opensTrusted,
} from "../src/trust/folders";

const HOME = "/home/ada/tutor-lsp";
const EXERCISES = `${HOME}/exercises`;

let folder: string;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  storage = new Storage(folder, () => false);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function arrival(root: string, made: boolean, around = root): Arrival {
  return { folder: around, root, file: join(root, "a.py"), line: 1, lesson: "", heading: undefined, made };
}

test("the first window opens on the folder of all exercises, later ones on theirs", () => {
  const [first, other] = [`${EXERCISES}/python-loops-a`, `${EXERCISES}/rust-loops-b`];
  assert.equal(folderToOpen(storage, first, HOME), EXERCISES);
  noteArrival(storage, arrival(first, true, EXERCISES), false);
  assert.equal(folderToOpen(storage, other, HOME), EXERCISES);
  noteTrust(storage, EXERCISES);
  assert.equal(folderToOpen(storage, other, HOME), other);
});

test("nobody is asked to trust what lies around an exercise from elsewhere", () => {
  for (const root of [
    "/home/ada/Downloads/from-a-friend/loops",
    `${HOME}/imported/python-loops-a`,
    `${HOME}/python/python-loops-a`,
    "/home/ada/other/exercises/loops",
  ]) {
    assert.equal(folderToOpen(storage, root, HOME), root);
    assert.equal(folderToOpen(storage, root, undefined), root);
  }
});

test("trust in a folder covers what lies below it, wherever that is opened", () => {
  noteTrust(storage, HOME);
  const root = `${EXERCISES}/python-loops-a`;
  assert.equal(folderToOpen(storage, root, HOME), root);
  assert.equal(opensTrusted(storage, "/home/ada/other"), false);
});

test("only a window on the folder that was trusted is one for the sake of trust", () => {
  assert.equal(isForTrust(storage, [EXERCISES]), false);
  noteTrust(storage, EXERCISES);
  noteTrust(storage, "/home/ada/project");
  assert.equal(isForTrust(storage, [EXERCISES]), true);
  for (const folders of [[], ["/home/ada/project"], [EXERCISES, "/home/ada/project"]]) {
    assert.equal(isForTrust(storage, folders), false);
  }
});

test("an exercise that alone was trusted says nothing about another", () => {
  noteArrival(storage, arrival("/home/python/a", true), false);
  noteTrust(storage, "/home/python/a");
  assert.equal(opensTrusted(storage, "/home/python/a"), true);
  noteArrival(storage, arrival("/home/python/a", false), true);
  assert.equal(opensTrusted(storage, "/home/python/b"), false);
});

test("a new exercise that is trusted without a question has a trusted parent", () => {
  noteArrival(storage, arrival("/home/python/b", true), true);
  assert.equal(opensTrusted(storage, "/home/python/c"), true);
  assert.equal(opensTrusted(storage, "/home/rust/c"), false);
});

test("a folder that is no longer trusted is asked about again", () => {
  noteTrust(storage, EXERCISES);
  const root = `${EXERCISES}/python-loops-a`;
  noteArrival(storage, arrival(root, false), false);
  assert.equal(folderToOpen(storage, root, HOME), EXERCISES);
});

test("trust is explained in a line while it is asked for, and in two sentences with one button", () => {
  for (const text of [trustText(true), trustText(false)]) {
    assert.ok(text.length <= 65, text);
  }
  assert.match(trustText(true), /all languages/);
  assert.equal(restricted().message.match(/[.!?](?= |$)/g)?.length, 2);
  assert.deepEqual(restricted().remedies, ["trust"]);
});
