import assert from "node:assert/strict";
import { test } from "node:test";
import { buttonOf, mendsOf, type Names } from "../src/doctor/mends";
import { commandsOf, doctorPage } from "../src/doctor/page";
import type { Mend } from "../src/interface/core.generated";
import type { Diagnosis, Said, ToolStatus } from "../src/server/protocol";
import { say } from "./data";

const NAMES: Names = {
  settings: ["model", "python.interpreter", "codex.command", "openai.baseUrl"],
  commandForm: { template: '"Tutor: %s"', titles: { restore: "Restore Tests and Lesson" } },
};

function titles(sentence: string): string[] {
  return mendsOf(sentence, NAMES).map(({ title }) => title);
}

function tool(name: string, over: Partial<ToolStatus> = {}): ToolStatus {
  return { name, found: true, works: true, version: "1.0", remedy: null, needed: true, optional: false, mends: [], ...over };
}

function diagnosis(...tools: ToolStatus[]): Said<Diagnosis> {
  const facts = { home: "/home/me/tutor", sessions: 2, exercises: 40, executable: "/usr/bin/python3" };
  return { tools, ...facts, problems: [], say: say("doctor") };
}

test("a setting that a remedy names opens", () => {
  assert.deepEqual(titles("Set tutor.python.interpreter to a Python 3.9 or later."), [
    "Open Setting python.interpreter",
  ]);
  assert.deepEqual(titles("set openai.baseUrl, or model, or the setting model, or openai.baseUrl"), [
    "Open Setting openai.baseUrl",
    "Open Setting model",
  ]);
  assert.deepEqual(titles("a model; xcodex.command; codex.command.more"), []);
  const [mend] = mendsOf("install it, or set codex.command.", NAMES);
  assert.equal(decodeURIComponent(mend?.link ?? ""), 'command:tutorLsp.setting?["tutor.codex.command"]');
});

test("an address opens without the stop behind it, and a line to run is typed", () => {
  assert.deepEqual(mendsOf("Install Rust from https://rustup.rs, then again (https://a.b/c).", NAMES), [
    { title: "Open rustup.rs", link: "https://rustup.rs" },
    { title: "Open a.b/c", link: "https://a.b/c" },
  ]);
  const [mend] = mendsOf("run `codex login` in a terminal, then try `again`", NAMES);
  assert.equal(mend?.title, "Type “codex login” in a Terminal");
  assert.equal(decodeURIComponent(mend.link), 'command:tutorLsp.type?["codex login"]');
});

test("a command of the palette is a button", () => {
  const [mend] = mendsOf('Your record lost a day: "Tutor: Restore Tests and Lesson" brings it back.', NAMES);
  assert.deepEqual(mend, { title: "Restore Tests and Lesson", link: "command:tutorLsp.restore" });
});

test("what the server offers with a tool is a button, and the words of its remedy are not", () => {
  const none = { setting: null, url: null, line: null, command: null, argument: {} };
  const mends: Mend[] = [
    { ...none, kind: "setting", setting: "codex.command" },
    { ...none, kind: "page", url: "https://rustup.rs" },
    { ...none, kind: "line", line: "codex login" },
    { ...none, kind: "command", command: "tutor.restore", argument: { record: true } },
    { ...none, kind: "command", command: "tutor.unknown" },
  ];
  assert.deepEqual(mends.map((mend) => buttonOf(mend, NAMES)?.title), [
    "Open Setting codex.command",
    "Open rustup.rs",
    "Type “codex login” in a Terminal",
    "Restore Tests and Lesson",
    undefined,
  ]);
  const html = doctorPage(diagnosis(tool("cargo", { works: false, remedy: "See https://a.b or set model.", mends })), NAMES);
  assert.deepEqual([...html.matchAll(/<a href="(.*?)"/g)].slice(4).map(([, link]) => decodeURIComponent(link ?? "")), [
    'command:tutorLsp.setting?["tutor.codex.command"]',
    "https://rustup.rs",
    'command:tutorLsp.type?["codex login"]',
    "command:tutorLsp.restore",
  ]);
});

test("what does not work comes first, and models that nobody needs last", () => {
  const html = doctorPage(
    diagnosis(
      tool("python"),
      tool("backend codex", { found: false, works: false, version: null, optional: true, remedy: "set codex.command" }),
      tool("backend mine", { found: false, works: false, version: null, remedy: "set model" }),
      tool("cargo", { found: false, works: false, version: null, remedy: "Install <Rust> & run `cargo` again." }),
    ),
    NAMES,
  );
  const places = ["To mend", "backend mine", "cargo", "What works", "python", "Models that", "backend codex", "/home/me"];
  const found = places.map((text) => html.indexOf(`>${text}`));
  assert.ok(found.every((at) => at > 0), String(found));
  assert.deepEqual(found, [...found].sort((one, other) => one - other));
  assert.ok(html.includes("Install &#60;Rust&#62; &#38; run <code>cargo</code> again."));
  assert.ok(!/<script|\son\w+=/.test(html));
});

test("only commands of buttons on the page are allowed, and nothing is to mend where all works", () => {
  const html = doctorPage(diagnosis(tool("python")), NAMES);
  assert.deepEqual(commandsOf(html), [
    "tutorLsp.doctor",
    "tutorLsp.restart",
    "tutorLsp.showLog",
    "tutorLsp.setting",
  ]);
  assert.ok(html.includes("Everything that exercises need works."));
  assert.ok(!html.includes("To mend"));
});

test("the page names the language of its texts", () => {
  assert.match(doctorPage(diagnosis(tool("python")), NAMES), /^<!DOCTYPE html><html lang="en">/);
  assert.match(doctorPage(diagnosis(tool("python")), NAMES, "pt-br"), /^<!DOCTYPE html><html lang="pt-br">/);
});
