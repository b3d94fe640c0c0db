import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, type Surroundings } from "../src/setUp/discovery";

const AROUND: Surroundings = {
  setting: "",
  folders: ["/w/one", "/w/two"],
  pathVariable: "/usr/local/bin:/usr/bin",
  home: "/home/ann",
};

/** Looks for the server where exactly these files can be executed. */
function find(over: Partial<Surroundings>, ...files: string[]) {
  return findServer({ ...AROUND, ...over }, (file) => files.includes(file));
}

const VENV = "/w/one/.venv/bin/tutor-lsp";
const ON_PATH = "/usr/bin/tutor-lsp";
const USER = "/home/ann/.local/bin/tutor-lsp";

test("the setting comes before everything", () => {
  const found = find({ setting: "/opt/tutor" }, "/opt/tutor", VENV, ON_PATH, USER);
  assert.deepEqual(found, { found: true, file: "/opt/tutor", origin: "setting" });
});

test("the workspace's environment comes before PATH, its first folder before the second", () => {
  const second = "/w/two/.venv/bin/tutor-lsp";
  assert.deepEqual(find({}, ON_PATH, second, VENV), {
    found: true,
    file: VENV,
    origin: "workspace",
  });
  assert.deepEqual(find({}, ON_PATH, second), { found: true, file: second, origin: "workspace" });
});

test("PATH is searched in its order, then the user's own programs", () => {
  const first = "/usr/local/bin/tutor-lsp";
  assert.deepEqual(find({}, ON_PATH, first, USER), { found: true, file: first, origin: "path" });
  assert.deepEqual(find({}, USER), { found: true, file: USER, origin: "user" });
});

test("a wrong setting is not replaced by another server", () => {
  assert.deepEqual(find({ setting: " /opt/gone " }, VENV, ON_PATH), {
    found: false,
    setting: "/opt/gone",
    tried: ["/opt/gone"],
  });
});

test("a setting may use ~, the workspace folder, a relative path or a name on PATH", () => {
  const file = (setting: string, at: string) => {
    const found = find({ setting }, at);
    return found.found && found.file;
  };
  assert.equal(file("~/bin/t", "/home/ann/bin/t"), "/home/ann/bin/t");
  assert.equal(file("${workspaceFolder}/t", "/w/one/t"), "/w/one/t");
  assert.equal(file("./env/bin/t", "/w/one/env/bin/t"), "/w/one/env/bin/t");
  assert.equal(file("t", "/usr/bin/t"), "/usr/bin/t");
});

test("a setting with ~ inside a name is left alone", () => {
  const found = find({ setting: "/opt/a~b" }, "/opt/a~b");
  assert.equal(found.found, true);
});

test("nothing found: every place that was tried is known", () => {
  assert.deepEqual(find({ folders: ["/w/one"] }), {
    found: false,
    setting: "",
    tried: [VENV, "/usr/local/bin/tutor-lsp", ON_PATH, USER],
  });
});

test("empty and relative parts of PATH are not searched", () => {
  const found = find({ folders: [], pathVariable: ":.:bin:/usr/bin" });
  assert.deepEqual(found.found ? [] : found.tried, [ON_PATH, USER]);
});
