import assert from "node:assert/strict";
import { test } from "node:test";
import { hoverLinks, LINKED } from "../src/code/hover";
import { opened, unit } from "./data";

const ROOT = opened("s1").workspace;

function commands(markdown: string): [string, unknown][] {
  return [...markdown.matchAll(/\(command:([\w.]+)\?([^)]+)\)/g)].map(([, id = "", argument = ""]) => {
    return [id, (JSON.parse(decodeURIComponent(argument)) as unknown[])[0]];
  });
}

test("a hover on a stub leads to hint, lesson and test of that very unit", () => {
  const units = [unit("ex-1"), unit("ex-2", { state: "failing" })];
  const links = commands(hoverLinks("**ex-2 ✗ not yet · 0 of 1**\n\n✗ x", ROOT, opened("s1"), units));
  assert.deepEqual(links, [
    ["tutor.hint", { session: "s1", unit: "ex-2" }],
    ["tutor.open", { session: "s1", unit: "ex-2", target: "lesson" }],
    ["tutor.open", { session: "s1", unit: "ex-2", target: "test" }],
  ]);
  assert.ok(links.every(([id]) => LINKED.includes(id)));
});

test("after the last hint the ways on from it follow", () => {
  const reveal = { session: "s1", unit: "ex-1", confirm: true };
  const actions = [
    { title: "Show the solution of a_b[0] and go on", command: "tutor.reveal", argument: reveal },
    { title: "Take an easier exercise first: Lists", command: "tutor.start", argument: { node: "x" } },
  ];
  const markdown = hoverLinks("**ex-1 ✗ not yet**", ROOT, opened("s1"), [unit("ex-1", { actions })]);
  assert.deepEqual(commands(markdown).slice(3), [
    ["tutor.reveal", reveal],
    ["tutor.start", { node: "x" }],
  ]);
  assert.match(markdown, /a_b\\\[0\\\]/);
  assert.ok(commands(markdown).every(([id]) => LINKED.includes(id)));
});

test("what a title or an argument has in it is no Markdown", () => {
  const title = "Take <command:tutor.reveal> `first`";
  const actions = [{ title, command: "tutor.start", argument: { node: "print(f)" } }];
  const markdown = hoverLinks("**ex-1 ✗ not yet**", ROOT, opened("s1"), [unit("ex-1", { actions })]);
  assert.deepEqual(commands(markdown).at(-1), ["tutor.start", { node: "print(f)" }]);
  assert.ok(markdown.includes("[Take \\<command:tutor.reveal> \\`first\\`]("));
});

test("what passes can be compared instead", () => {
  const markdown = hoverLinks("**ex-1 ✓ passes**", ROOT, opened("s1"), [unit("ex-1", { state: "passing" })]);
  assert.equal(commands(markdown)[0]?.[0], "tutor.compare");
  assert.ok(commands(markdown).every(([id]) => LINKED.includes(id)));
});

test("any other hover is left as it is", () => {
  assert.equal(hoverLinks("`ex-1`: to do", ROOT, opened("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-9 ○ to do**", ROOT, opened("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-1 ○ to do**", ROOT, null, [unit("ex-1")]), "");
});

test("a hover in another exercise beside the one in front has no links of that one", () => {
  const beside = opened("s2").workspace;
  assert.equal(hoverLinks("**ex-1 ○ to do**", beside, opened("s1"), [unit("ex-1")]), "");
  assert.equal(hoverLinks("**ex-1 ○ to do**", undefined, opened("s1"), [unit("ex-1")]), "");
});
