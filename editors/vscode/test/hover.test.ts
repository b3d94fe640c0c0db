import assert from "node:assert/strict";
import { test } from "node:test";
import { hoverLinks, LINKED } from "../src/hover";
import { session, unit } from "./data";

const ROOT = session("s1").workspace;

function commands(markdown: string): [string, unknown][] {
  return [...markdown.matchAll(/\(command:([\w.]+)\?([^)]+)\)/g)].map(([, id = "", argument = ""]) => {
    return [id, (JSON.parse(decodeURIComponent(argument)) as unknown[])[0]];
  });
}

test("a hover on a stub leads to hint, lesson and test of that very unit", () => {
  const units = [unit("ex-1"), unit("ex-2", { state: "failing" })];
  const links = commands(hoverLinks("**ex-2 ✗ not yet · 0 of 1**\n\n✗ x", ROOT, session("s1"), units));
  assert.deepEqual(links, [
    ["tutor.hint", { session: "s1", unit: "ex-2" }],
    ["tutor.open", { session: "s1", unit: "ex-2", target: "lesson" }],
    ["tutor.open", { session: "s1", unit: "ex-2", target: "test" }],
  ]);
  assert.ok(links.every(([id]) => LINKED.includes(id)));
});

test("what passes can be compared instead", () => {
  const markdown = hoverLinks("**ex-1 ✓ passes**", ROOT, session("s1"), [unit("ex-1", { state: "passing" })]);
  assert.equal(commands(markdown)[0]?.[0], "tutor.compare");
  const all = new Set([...commands(markdown), ["tutor.hint"]].map(([id]) => id));
  assert.deepEqual(new Set(LINKED), all);
});

test("any other hover is left as it is", () => {
  assert.equal(hoverLinks("`ex-1`: to do", ROOT, session("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-9 ○ to do**", ROOT, session("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-1 ○ to do**", ROOT, null, [unit("ex-1")]), "");
});

test("a hover in another exercise beside the one in front has no links of that one", () => {
  const beside = session("s2").workspace;
  assert.equal(hoverLinks("**ex-1 ○ to do**", beside, session("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-1 ○ to do**", undefined, session("s1"), [unit("ex-1")]), "");
});
