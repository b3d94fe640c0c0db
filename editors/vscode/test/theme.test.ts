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
