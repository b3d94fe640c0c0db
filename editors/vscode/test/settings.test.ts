import assert from "node:assert/strict";
import { test } from "node:test";
import {
  choiceText,
  chosenByFolder,
  explicitSettings,
  initialOptions,
  type Inspection,
  serverKeys,
} from "../src/server/settings";

function set(values: Record<string, Inspection>): (key: string) => Inspection | undefined {
  return (key) => values[key];
}

test("the extension's own settings are not the server's", () => {
  const keys = ["tutor.home", "tutor.server.command", "tutor.trace.server", "tutor.openai.baseUrl"];
  assert.deepEqual(serverKeys([...keys, "editor.fontSize"]), ["home", "openai.baseUrl"]);
});

test("what nobody set is not sent, so that config.toml counts", () => {
  assert.deepEqual(explicitSettings(["home", "runOnSave"], set({ home: {} })), {});
});

test("false and empty values that were set are sent", () => {
  const found = explicitSettings(
    ["runOnSave", "libraries"],
    set({ runOnSave: { globalValue: false }, libraries: { globalValue: [] } }),
  );
  assert.deepEqual(found, { runOnSave: false, libraries: [] });
});

test("the folder's value comes before the workspace's, that before the user's", () => {
  const all = { globalValue: 1, workspaceValue: 2, workspaceFolderValue: 3 };
  const found = explicitSettings(
    ["a", "b", "c"],
    set({ a: all, b: { globalValue: 1, workspaceValue: 2 }, c: { globalValue: 1 } }),
  );
  assert.deepEqual(found, { a: 3, b: 2, c: 1 });
});

test("the dots of keys nest", () => {
  const settings = explicitSettings(
    ["openai.baseUrl", "openai.timeout", "home"],
    set({
      "openai.baseUrl": { globalValue: "http://127.0.0.1:1" },
      "openai.timeout": { globalValue: 9 },
      home: { globalValue: "/h" },
    }),
  );
  const openai = { baseUrl: "http://127.0.0.1:1", timeout: 9 };
  assert.deepEqual(settings, { openai, home: "/h" });
});

test("the name of a model is not sent where `model` means the editor's own", () => {
  assert.deepEqual(initialOptions({ model: "small", home: "/h" }, true, {}), {
    home: "/h",
    ui: "client",
    ask: true,
    reports: true,
    diagnosticsInHover: true,
    model: true,
    commandForm: {},
  });
});

test("a folder's choice of a model is asked about, unless it is the learner's own", () => {
  const backend = { globalValue: "library", workspaceValue: "codex" };
  const model = { workspaceFolderValue: "large" };
  assert.deepEqual(chosenByFolder(set({ backend, model })), { backend: "codex", model: "large" });
  assert.equal(chosenByFolder(set({ backend: { globalValue: "codex" } })), undefined);
  const same = { globalValue: "codex", workspaceValue: "codex" };
  assert.equal(chosenByFolder(set({ backend: same })), undefined);
  assert.equal(chosenByFolder(set({ backend: { workspaceValue: "library" } })), undefined);
  const loose = { globalValue: "library", workspaceValue: "auto" };
  assert.deepEqual(chosenByFolder(set({ backend: loose })), { backend: "auto" });
  assert.match(choiceText({ backend: "codex" }), /\(tutor\.backend: "codex"\)/);
});

test("until then the learner's own counts, and everything else of the folder", () => {
  const seen = set({
    backend: { globalValue: "library", workspaceValue: "codex" },
    model: { workspaceValue: "large" },
    runOnSave: { globalValue: true, workspaceValue: false },
  });
  const keys = ["backend", "model", "runOnSave"];
  assert.deepEqual(explicitSettings(keys, seen, false), { backend: "library", runOnSave: false });
  assert.deepEqual(explicitSettings(keys, seen, true), {
    backend: "codex",
    model: "large",
    runOnSave: false,
  });
});
