import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inPalette, TITLES } from "../src/commandNames";

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
  };
}

const { contributes } = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "package.json"), "utf8"),
) as Manifest;

test("every title is one of the palette", () => {
  const hidden = contributes.menus.commandPalette.map(({ command }) => command);
  const shown = contributes.commands
    .filter(({ command }) => !hidden.includes(command))
    .map(({ title }) => title.replace(/ \(.*\)$/, ""));
  for (const title of Object.values(TITLES)) {
    assert.ok(shown.includes(title), title);
  }
});

test("what the server calls a command is what the palette calls it", () => {
  const said: [string, string][] = [
    ["tutor.reveal shows the reference now.", '"Tutor: Reveal Solution of This Step" shows the reference now.'],
    ["Put it back with tutor.restore, or …", 'Put it back with "Tutor: Put Tests and Lesson Back as Given", or …'],
    ["Go on with it: tutor.resume 01ab34cd. Another: tutor.start.", 'Go on with it: "Tutor: Sessions". Another: "Tutor: Start Exercise".'],
    ["(tutor.resume goes on with it)", '("Tutor: Sessions" goes on with it)'],
    ["more: tutor.doctor tells how", 'more: "Tutor: Doctor" tells how'],
  ];
  for (const [server, here] of said) {
    assert.equal(inPalette(server), here);
  }
});

test("settings, files and other words stay", () => {
  for (const text of ["the setting tutor.home", "tutor.server.command", "my-tutor.check", "a/tutor.start", "tutor.db"]) {
    assert.equal(inPalette(text), text);
  }
});
