import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FakeEditor } from "./fake";

const ROOT = join(__dirname, "..", "..");

interface Exports {
  extendMarkdownIt(markdown: object): {
    renderer: { rules: { heading_open: (...args: unknown[]) => string } };
  };
}

test("other documents are rendered as before, and another extension's rule is kept", () => {
  const editor = new FakeEditor();
  const extension = editor.load(join(ROOT, "dist", "extension.js")) as {
    activate(context: object): Exports;
  };
  const packageJSON: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const exported = extension.activate(editor.extension(packageJSON, "/nowhere"));
  const marks: string[] = [];
  const tokens = [{ attrSet: (name: string) => marks.push(name) }, { content: "A heading" }];
  const self = { renderToken: () => "plain" };
  const render = (rules: object): string =>
    exported.extendMarkdownIt({ renderer: { rules } }).renderer.rules.heading_open(tokens, 0, {}, {}, self);
  assert.equal(render({}), "plain");
  assert.equal(
    render({ heading_open: () => "theirs" }),
    "theirs",
  );
  assert.deepEqual(marks, []);
});
