import assert from "node:assert/strict";
import { test } from "node:test";
import { buttonsOf } from "../src/doctor/mends";
import { commandsOf, doctorPage } from "../src/doctor/page";
import type { Mend } from "../src/interface/core.generated";
import type { Diagnosis, Said, ToolStatus } from "../src/server/protocol";
import { say } from "./data";

const FORM = { template: '"Tutor: %s"', titles: { restore: "Restore Tests and Lesson" } };

function link(command: string, argument: string): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`;
}

function tool(name: string, over: Partial<ToolStatus> = {}): ToolStatus {
  return { name, found: true, works: true, version: "1.0", remedy: null, needed: true, optional: false, mends: [], ...over };
}

function diagnosis(...tools: ToolStatus[]): Said<Diagnosis> {
  const facts = { home: "/home/me/tutor", sessions: 2, exercises: 40, executable: "/usr/bin/python3" };
  return { tools, ...facts, problems: [], remedies: [], say: say("doctor") };
}

test("what the server offers with a tool or a problem is a button, and their words are not", () => {
  const none = { setting: null, url: null, line: null, command: null, argument: {}, file: null };
  const mends: Mend[] = [
    { ...none, kind: "setting", setting: "codex.command" },
    { ...none, kind: "page", url: "https://rustup.rs" },
    { ...none, kind: "line", line: "codex login" },
    { ...none, kind: "command", command: "tutor.restore", argument: { record: true } },
    { ...none, kind: "file", file: "/home/me/tutor/config.toml" },
    { ...none, kind: "command", command: "tutor.unknown" },
  ];
  assert.deepEqual(buttonsOf(mends, FORM), [
    { title: "Open Setting codex.command", link: link("tutorLsp.setting", "tutor.codex.command") },
    { title: "Open rustup.rs", link: "https://rustup.rs" },
    { title: "Type “codex login” in a Terminal", link: link("tutorLsp.type", "codex login") },
    { title: "Restore Tests and Lesson", link: "command:tutorLsp.restore" },
    { title: "Open config.toml", link: link("tutorLsp.file", "/home/me/tutor/config.toml") },
  ]);
  const [setting, ...others] = mends;
  assert.ok(setting);
  const message = "See https://a.b or set model.";
  const cargo = tool("cargo", { works: false, remedy: "Run `x` or set model.", mends: others });
  const found = { ...diagnosis(cargo), problems: ["Set model.", message], remedies: [{ message, mend: setting }] };
  const html = doctorPage(found, FORM);
  const shown = [...html.matchAll(/<a href="(.*?)"/g)].slice(4).map(([, each]) => each);
  assert.deepEqual(shown, buttonsOf(mends, FORM).map((each) => each.link));
  // A server of an earlier version gives none with a problem.
  const earlier = JSON.parse(JSON.stringify({ ...found, remedies: undefined })) as typeof found;
  assert.ok(!doctorPage(earlier, FORM).includes("tutor.codex.command"));
});

test("what does not work comes first, and models that nobody needs last", () => {
  const html = doctorPage(
    diagnosis(
      tool("python"),
      tool("backend codex", { found: false, works: false, version: null, optional: true, remedy: "set codex.command" }),
      tool("backend mine", { found: false, works: false, version: null, remedy: "set model" }),
      tool("cargo", { found: false, works: false, version: null, remedy: "Install <Rust> & run `cargo` again." }),
    ),
    FORM,
  );
  const places = ["To mend", "backend mine", "cargo", "What works", "python", "Models that", "backend codex", "/home/me"];
  const found = places.map((text) => html.indexOf(`>${text}`));
  assert.ok(found.every((at) => at > 0), String(found));
  assert.deepEqual(found, [...found].sort((one, other) => one - other));
  assert.ok(html.includes("Install &#60;Rust&#62; &#38; run <code>cargo</code> again."));
  assert.ok(!/<script|\son\w+=/.test(html));
});

test("only commands of buttons on the page are allowed, and nothing is to mend where all works", () => {
  const html = doctorPage(diagnosis(tool("python")), FORM);
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
  assert.match(doctorPage(diagnosis(tool("python")), FORM), /^<!DOCTYPE html><html lang="en">/);
  assert.match(doctorPage(diagnosis(tool("python")), FORM, "pt-br"), /^<!DOCTYPE html><html lang="pt-br">/);
});
