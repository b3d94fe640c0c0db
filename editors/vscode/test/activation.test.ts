// The bundle itself, run in a stand-in for the editor.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { FakeEditor } from "./fake";
import { manifest } from "./manifest";

const ROOT = join(__dirname, "..", "..");
const BUNDLE = join(ROOT, "dist", "tutor.js");
/** What the editor loads. */
const ENTRY = join(ROOT, "dist", "extension.js");
/** Bars for loading a bundle and its `activate`, in milliseconds. */
const ACTIVATION_MS = 50;
const ENTRY_MS = 5;

interface Manifest {
  contributes: {
    commands: { command: string; category: string; title: string }[];
    views: Record<string, { id: string }[]>;
    viewsWelcome: { view: string; when: string }[];
    configuration: { id: string; properties: Record<string, Record<string, unknown>> }[];
  };
  activationEvents: string[];
  capabilities: {
    untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] };
  };
}

const MANIFEST = manifest() as Manifest;

let editor: FakeEditor;
let exercise: string;
let activate: () => void;
let deactivate: () => Promise<void>;

beforeEach(() => {
  editor = new FakeEditor();
  exercise = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  mkdirSync(join(exercise, ".tutor"));
  writeFileSync(join(exercise, ".tutor", "exercise.json"), "{}");
  const extension = editor.load(BUNDLE) as {
    activate: (context: object) => void;
    deactivate: () => Promise<void>;
  };
  deactivate = extension.deactivate;
  activate = () => {
    extension.activate(editor.extension(MANIFEST, join(exercise, "storage")));
  };
});

afterEach(async () => {
  await deactivate();
  rmSync(exercise, { recursive: true });
});

/** Waits until everything that was started has had its turn. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test("the manifest's commands are exactly those that are registered", () => {
  activate();
  const declared = MANIFEST.contributes.commands.map(({ command }) => command);
  assert.deepEqual([...editor.commands.keys()].sort(), declared.sort());
});

test("no id is one that the language client registers for the server", () => {
  const ids = MANIFEST.contributes.commands.map(({ command }) => command);
  assert.deepEqual(
    ids.filter((id) => !id.startsWith("tutorLsp.")),
    [],
  );
});

test("activation starts nothing and is over in a moment", () => {
  // The best of some, because other processes may take the time of one.
  const took = [1, 2, 3, 4, 5].map(() => {
    const begin = performance.now();
    const loaded = editor.load(BUNDLE) as { activate: (context: object) => void };
    loaded.activate(editor.extension(MANIFEST, join(exercise, "storage")));
    return performance.now() - begin;
  });
  const best = Math.min(...took);
  assert.ok(best < ACTIVATION_MS, `activation took ${best.toFixed(1)} ms`);
  assert.deepEqual(editor.errors, []);
  assert.equal(editor.bar.shown, false);
});

test("what the editor waits for at startup is next to nothing, and the rest is there once it has activated", async () => {
  const extension = { ...editor.extension(MANIFEST, join(exercise, "storage")) };
  const runs = [1, 2, 3, 4, 5].map(() => {
    const begin = performance.now();
    const { activate: enter } = editor.load(ENTRY) as { activate: (context: object) => Promise<object> };
    const entered = enter(extension);
    return { took: performance.now() - begin, entered, commands: editor.commands.size };
  });
  const best = Math.min(...runs.map(({ took }) => took));
  assert.ok(best < ENTRY_MS, `it took ${best.toFixed(1)} ms`);
  assert.deepEqual(runs.map(({ commands }) => commands), [0, 0, 0, 0, 0]);
  const [exported] = await Promise.all(runs.map(({ entered }) => entered));
  assert.equal(typeof (exported as { extendMarkdownIt?: unknown }).extendMarkdownIt, "function");
  assert.equal(editor.commands.size, MANIFEST.contributes.commands.length);
});

test("an empty window gets a server ready, and is quiet about one that does not start", async () => {
  editor.settings.command = "/bin/true";
  activate();
  await editor.eventually("it is told in the bar", () => editor.bar.text.includes("warning"));
  assert.deepEqual([editor.errors, editor.messages], [[], []]);
});

test("in an empty window a server that is not there is nothing to talk about", async () => {
  editor.settings.command = "/nowhere/tutor-lsp";
  activate();
  await settle();
  assert.deepEqual([editor.errors, editor.messages, editor.bar.shown], [[], [], false]);
});

test("a window on something else than an exercise starts nothing", async () => {
  editor.settings.command = "/bin/true";
  editor.folders.push(tmpdir());
  activate();
  await settle();
  assert.equal(editor.bar.shown, false);
});

test("in Restricted Mode an exercise starts nothing, and a command asks for trust, or says why", async () => {
  editor.isTrusted = false;
  editor.folders.push(exercise);
  activate();
  await settle();
  assert.deepEqual([editor.errors, editor.asksForTrust], [[], 0]);
  await editor.run("tutorLsp.check");
  assert.deepEqual([editor.errors, editor.asksForTrust], [[], 1]);
  assert.match(editor.messages.at(-1) ?? "", /waits until you trust this folder/);
});

test("what was asked for in Restricted Mode goes on where its folder is trusted then", async () => {
  editor.isTrusted = false;
  editor.grantsTrust = true;
  editor.settings.command = "/nowhere/tutor-lsp";
  editor.folders.push(exercise);
  activate();
  await editor.run("tutorLsp.check");
  assert.equal(editor.asksForTrust, 1);
  assert.match(editor.errors.join(), /tutor\.server\.command is "\/nowhere/);
});

test("once the folder is trusted the server is looked for", async () => {
  editor.isTrusted = false;
  editor.settings.command = "/nowhere/tutor-lsp";
  editor.folders.push(exercise);
  activate();
  editor.grantTrust();
  await settle();
  assert.match(editor.errors.join("|"), /^[^|]*"\/nowhere\/tutor-lsp"[^|]*$/);
});

test("a command without a server says what to do, and the next one looks again", async () => {
  editor.settings.command = "/nowhere/tutor-lsp";
  activate();
  await editor.run("tutorLsp.start");
  await editor.run("tutorLsp.hint");
  assert.deepEqual(
    editor.errors.map((error) => error.includes("tutor.server.command")),
    [true, true],
  );
});

test("arguments that are no list of words are named, and start nothing", async () => {
  for (const args of ["serve", {}, [1]]) {
    Object.assign(editor.settings, { command: "/bin/true", args });
    editor.errors.length = 0;
    activate();
    await editor.run("tutorLsp.status");
    assert.match(editor.errors.join("|"), /^[^|]*tutor\.server\.args must be a list[^|]*$/);
    await deactivate();
  }
});

test("a program that is no server is reported once, with the log at hand", async () => {
  editor.settings.command = "/bin/true";
  activate();
  await editor.run("tutorLsp.status");
  assert.match(editor.errors.join("|"), /^[^|]*\(\/bin\/true\) could not be started[^|]*$/);
  assert.match(editor.bar.text, /warning/);
});

test("a server that never answers does not outlive the window", { timeout: 20_000 }, async () => {
  Object.assign(editor.settings, { command: "/bin/sh", args: ["-c", "exec sleep 60"] });
  activate();
  const asked = editor.run("tutorLsp.status");
  await settle();
  assert.match(editor.bar.text, /sync/);
  await deactivate();
  await asked;
  assert.deepEqual(editor.errors, []);
});

test("settings that name programs or addresses are restricted where a folder is not trusted", () => {
  const { restrictedConfigurations, supported } = MANIFEST.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  const all = MANIFEST.contributes.configuration.flatMap((part) => Object.keys(part.properties));
  const risky = all.filter((key) => /command|args|interpreter|Url|home|libraries/i.test(key));
  assert.deepEqual([...restrictedConfigurations].sort(), risky.sort());
});

test("every setting has a description, a default and a scope", () => {
  for (const { properties } of MANIFEST.contributes.configuration) {
    for (const [key, property] of Object.entries(properties)) {
      const text = property.markdownDescription ?? property.description;
      assert.equal(typeof text, "string", key);
      assert.notEqual(property.default, undefined, key);
      assert.equal(typeof property.scope, "string", key);
    }
  }
});

test("each view says what it waits for in Restricted Mode", () => {
  const { views, viewsWelcome } = MANIFEST.contributes;
  const said = viewsWelcome.filter(({ when }) => when.includes("!isWorkspaceTrusted"));
  const all = Object.values(views).flat();
  assert.deepEqual(said.map(({ view }) => view).sort(), all.map(({ id }) => id).sort());
});

test("a window on an exercise activates the extension", () => {
  assert.ok(MANIFEST.activationEvents.includes("workspaceContains:.tutor/exercise.json"));
});

test("a start that was overtaken by a stop starts nothing", async () => {
  editor.settings.command = "/bin/true";
  activate();
  const asked = editor.run("tutorLsp.status");
  await deactivate();
  await asked;
  assert.deepEqual(editor.errors, []);
});

test("a test run that cannot be ends, though its message is still there", async () => {
  editor.settings.command = "/nowhere/tutor-lsp";
  editor.messagesStay = true;
  activate();
  void editor.testing.ask();
  await editor.eventually("the run ends", () => editor.errors.length === 1 && editor.testing.endedRuns === 1);
});
