// What the editor's Markdown preview does with the extension's part in it.
import assert from "node:assert/strict";

type Rule = (...args: unknown[]) => string;

/** What `activate` gives. */
export interface Exports {
  extendMarkdownIt(markdown: object): { renderer: { rules: Record<"heading_open" | "heading_close", Rule> } };
}

/** What was done to a document's headings; `turns` are the numbers of the turns to those in `turned`. */
interface Headings {
  turned: string[];
  turns: number[];
  steps: string[];
  html: string;
}

function drawn(exported: Exports, file: string, headings: readonly string[]): Headings {
  const found: Headings = { turned: [], turns: [], steps: [], html: "" };
  const tokens = headings.flatMap((content) => [
    {
      type: "heading_open",
      content: "",
      attrSet: (name: string, value: string) => {
        if (name.endsWith("turn")) {
          found.turned.push(content);
          found.turns.push(Number(value));
        }
      },
      attrJoin: (_: string, value: string) => value === "tutor-step" && found.steps.push(content),
    },
    { type: "inline", content },
    { type: "heading_close", content: "" },
  ]);
  const { rules } = exported.extendMarkdownIt({ renderer: { rules: {} } }).renderer;
  const self = { renderToken: () => "" };
  const env = { currentDocument: { fsPath: file } };
  for (const [index] of headings.entries()) {
    found.html += rules.heading_open(tokens, index * 3, {}, env, self);
    found.html += rules.heading_close(tokens, index * 3 + 2, {}, env, self);
  }
  return found;
}

/** The heading that the preview of `file` is turned to, of those that it has. */
export function turnedTo(exported: Exports, file: string, headings: string[]): string | undefined {
  return drawn(exported, file, headings).turned.join(" and ") || undefined;
}

/** Which turn to this heading it is: the preview follows greater ones alone. */
export function turnOf(exported: Exports, file: string, heading: string): number {
  return drawn(exported, file, [heading]).turns[0] ?? NaN;
}

/** The heading that is marked as the learner's step, to which a line on top leads. */
export function stepIn(exported: Exports, file: string, headings: readonly string[]): string | undefined {
  const { steps, html } = drawn(exported, file, headings);
  if (steps.length > 0) {
    assert.match(html, new RegExp(`^<p [^>]*><a href="#[^"]+">Your step: ${steps.join(" and ")}</a></p>\\n$`));
  }
  return steps.join(" and ") || undefined;
}
