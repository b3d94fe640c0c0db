import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { wrapLines } from "../src/wrapping";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function settings(): string {
  return readFileSync(join(root, ".vscode", "settings.json"), "utf8");
}

test("long lines of an exercise are wrapped", () => {
  wrapLines(root);
  assert.deepEqual(JSON.parse(settings()), { "editor.wordWrap": "on" });
});

test("settings that the folder has already stay as they are", () => {
  wrapLines(root);
  writeFileSync(join(root, ".vscode", "settings.json"), "// mine\n");
  wrapLines(root);
  assert.equal(settings(), "// mine\n");
});
