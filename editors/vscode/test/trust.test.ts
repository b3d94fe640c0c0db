import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { trustText } from "../src/messages";
import { type Arrival, Storage } from "../src/storage";
import { noteArrival, noteTrust, opensTrusted, wasTrustExplained } from "../src/trust";

const HOME = "/home/ada/tutor-lsp";

let folder: string;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  storage = new Storage(folder, () => false);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function arrival(root: string, made: boolean): Arrival {
  return { root, file: join(root, "a.py"), line: 1, lesson: "", heading: undefined, made };
}

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

test("a parent that is no longer trusted is explained again", () => {
  noteArrival(storage, arrival("/home/python/b", true), true);
  noteArrival(storage, arrival("/home/python/c", false), false);
  assert.equal(opensTrusted(storage, "/home/python/d"), false);
});

test("the explanation names the parent as the language's folder, and the home for all", () => {
  const text = trustText("/home/ada/tutor-lsp/python/python-loops-a", HOME);
  assert.match(text, /parent folder "python".*exercises in that language.*"tutor-lsp"/);
});

test("for an exercise that lies elsewhere nothing around it is recommended", () => {
  for (const again of [false, true]) {
    const text = trustText("/home/ada/Downloads/from-a-friend/loops", HOME, again);
    assert.match(text, /asks.*"Manage Trust"/);
    assert.doesNotMatch(text, /parent|from-a-friend|Downloads/);
  }
});

test("the explanation fits a question and Restricted Mode; the second time it is short", () => {
  const root = "/home/ada/tutor-lsp/python/python-loops-a";
  assert.equal(wasTrustExplained(storage), false);
  assert.equal(wasTrustExplained(storage), true);
  const [first, second] = [trustText(root, HOME), trustText(root, HOME, true)];
  for (const text of [first, second]) {
    assert.match(text, /asks.*Restricted Mode.*"Manage Trust".*parent folder "python"/);
  }
  assert.ok(second.length * 2 < first.length);
});
