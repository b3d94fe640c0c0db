import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { FakeEditor } from "./fake";
import { manifest } from "./manifest";
import { type Exports, turnedTo } from "./markdown";

const ROOT = join(__dirname, "..", "..");

test("other documents are rendered as before, and another extension's rule is kept", () => {
  const editor = new FakeEditor();
  const extension = editor.load(join(ROOT, "dist", "tutor.js")) as {
    activate(context: object): Exports;
  };
  const exported = extension.activate(editor.extension(manifest(), "/nowhere"));
  const self = { renderToken: () => "plain" };
  const render = (rules: object): string => {
    const extended = exported.extendMarkdownIt({ renderer: { rules } });
    return extended.renderer.rules.heading_open([{}, { content: "A heading" }], 0, {}, {}, self);
  };
  assert.equal(render({}), "plain");
  assert.equal(render({ heading_open: () => "theirs" }), "theirs");
  assert.equal(turnedTo(exported, "/notes.md", ["A heading"]), undefined);
});
