import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { themed } from "../src/reading/theme";

const MARKUP = join(__dirname, "../../../../tutor_lsp/tutor/learner/pages/markup.py");

test("every colour of the server's page is one of the editor, whatever the system's theme", () => {
  const style = /STYLE = """([^]*?)"""/.exec(readFileSync(MARKUP, "utf8"))?.[1] ?? "";
  const names = new Set(Array.from(style.matchAll(/--([a-z]+):/g), ([, name]) => name));
  assert.ok(names.size > 0);
  const page = themed(`<head><style>${style}</style></head><body></body>`);
  for (const name of names) {
    const values = Array.from(page.matchAll(new RegExp(`--${name}:([^;}]+)`, "g")));
    assert.match(values.at(-1)?.[1] ?? "", /^var\(--vscode-/, name);
  }
});

test("nothing on a page of the extension moves, so nobody needs to ask for less motion", () => {
  const root = join(__dirname, "..", "..");
  for (const file of ["media/lesson.css", "media/lesson.js", "media/tutor.svg", "dist/extension.js"]) {
    const text = readFileSync(join(root, file), "utf8");
    assert.doesNotMatch(text, /\b(animat|transition|@keyframes|scroll-behavior)|["']smooth["']/, file);
  }
});
