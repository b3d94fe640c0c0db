import assert from "node:assert/strict";
import { test } from "node:test";
import { commandForm, type Palette } from "../src/commands/commandNames";
import { manifest } from "./manifest";

const { contributes } = manifest() as { contributes: Palette };

test("commands are called what the palette calls them, those within another one by that", () => {
  const { template, titles } = commandForm(contributes);
  assert.equal(template, '"Tutor: %s"');
  assert.equal(titles.start, "Start Exercise");
  assert.equal(titles.check, "Check");
  assert.equal(titles.doctor, "Doctor");
  assert.equal(titles.resume, "Sessions");
  assert.equal(titles.claim, "Curriculum");
  const palette = contributes.commands.map(({ title }) => (title as string).replace(/ \(.*\)$/, ""));
  assert.deepEqual(Object.values(titles).filter((title) => !palette.includes(title)), []);
});

test("in a translated editor, which gives what a text was with it, they are called what is shown", () => {
  const told = (value: string): { value: string; original: string } => ({ value, original: "Start Exercise" });
  const commands = [{ command: "tutorLsp.start", category: told("Lehrer"), title: told("Übung beginnen (neu)") }];
  const { template, titles } = commandForm({ commands, menus: { commandPalette: [] } });
  assert.equal(template, '"Lehrer: %s"');
  assert.equal(titles.start, "Übung beginnen");
});
