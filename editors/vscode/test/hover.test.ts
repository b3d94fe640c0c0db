import assert from "node:assert/strict";
import { test } from "node:test";
import { hoverLinks, LINKED } from "../src/hover";
import { session, unit } from "./data";

function commands(markdown: string): [string, unknown][] {
  return [...markdown.matchAll(/\(command:([\w.]+)\?([^)]+)\)/g)].map(([, id = "", argument = ""]) => {
    return [id, (JSON.parse(decodeURIComponent(argument)) as unknown[])[0]];
  });
}

test("a hover on a stub leads to hint, lesson and test of that very unit", () => {
  const units = [unit("ex-1"), unit("ex-2", { state: "failing" })];
  const links = commands(hoverLinks("**ex-2 ✗ not yet · 0 of 1**\n\n✗ x", session("s1"), units));
  assert.deepEqual(links, [
    ["tutor.hint", { session: "s1", unit: "ex-2" }],
    ["tutor.open", { session: "s1", unit: "ex-2", target: "lesson" }],
    ["tutor.open", { session: "s1", unit: "ex-2", target: "test" }],
  ]);
  assert.ok(links.every(([id]) => LINKED.includes(id)));
});

test("what passes can be compared instead", () => {
  const markdown = hoverLinks("**ex-1 ✓ passes**", session("s1"), [unit("ex-1", { state: "passing" })]);
  assert.equal(commands(markdown)[0]?.[0], "tutor.compare");
  assert.ok(LINKED.includes("tutor.compare"));
});

test("any other hover is left as it is", () => {
  assert.equal(hoverLinks("`ex-1`: to do", session("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-9 ○ to do**", session("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-1 ○ to do**", null, [unit("ex-1")]), "");
});
