// What a failure says at the code where the learner types: the bundle in a stand-in for the editor.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { activated, type Extension } from "./activated";
import { FakeEditor } from "./fake";
import { Diagnostic, Range } from "./fakeParts";

const SAID = "f(1) gave 0, expected 1 (1 of 2 tests)";

let editor: FakeEditor;
let folder: string;
let file: string;
let extension: Extension;

beforeEach(() => {
  editor = new FakeEditor();
  editor.settings.command = "/nowhere/tutor-lsp";
  folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  file = join(folder, "a.py");
  writeFileSync(file, "def f(n):\n    m = n\n    return m - 1\n\nx = 1\n");
  extension = activated(editor, folder);
  editor.show(file);
});

afterEach(async () => {
  await extension.deactivate();
  rmSync(folder, { recursive: true });
});

/** What the server reports on the function, whose body is its second and third line. */
function failure(more: object = {}): Diagnostic {
  const found = new Diagnostic(new Range(0, 4, 0, 5), `${SAID}\nMore of it.`, 0);
  const data = { body: { line: 2, endLine: 3 } };
  return Object.assign(found, { source: "tutor", code: "test-failure", data, ...more });
}

test("a failure stands behind the body's last line, in one sentence, as long as it is there", async () => {
  editor.diagnose(file, [failure()]);
  await editor.eventually("it is said", () => editor.said.length > 0);
  assert.deepEqual(editor.said, [{ line: 2, text: SAID }]);
  editor.diagnose(file, []);
  await editor.eventually("it is gone", () => editor.said.length === 0);
});

test("what is still to do, and what others report, is not said there", async () => {
  editor.diagnose(file, [failure({ code: "todo" }), failure({ source: "rustc" }), failure()]);
  await editor.eventually("one is said", () => editor.said.length > 0);
  assert.equal(editor.said.length, 1);
});

test("nothing is said where Error Lens says it", async () => {
  editor.diagnose(file, [failure()]);
  await editor.eventually("it is said", () => editor.said.length > 0);
  editor.others.set("usernamehw.errorlens", { isActive: true });
  editor.diagnose(file, [failure()]);
  await editor.eventually("it is gone", () => editor.said.length === 0);
});

test("nothing is said any more once Error Lens runs, which begins later than this", async () => {
  const errorLens = { isActive: false };
  editor.others.set("usernamehw.errorlens", errorLens);
  editor.diagnose(file, [failure()]);
  await editor.eventually("it is said", () => editor.said.length > 0);
  errorLens.isActive = true;
  await editor.eventually("it is gone", () => editor.said.length === 0);
});

test("another extension that runs keeps nothing from being said", async () => {
  editor.others.set("someone.else", { isActive: true });
  editor.diagnose(file, [failure()]);
  await editor.eventually("it is said", () => editor.said.length > 0);
});

test("lines of a file without failures are not looked at", async () => {
  const document = editor.document(file);
  let [read, looked] = [0, 0];
  const lineAt = document.lineAt.bind(document);
  document.lineAt = (line) => {
    read += 1;
    return lineAt(line);
  };
  editor.others.get = () => {
    looked += 1;
    return undefined;
  };
  editor.diagnose(file, []);
  await editor.eventually("it was looked at", () => looked > 0);
  assert.equal(read, 0);
});
