// What the manifest promises of keys, buttons and menus.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Entry {
  command: string;
  when: string;
  key?: string;
}

const { contributes } = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "package.json"), "utf8"),
) as {
  contributes: {
    commands: { command: string; icon?: string }[];
    keybindings: Entry[];
    menus: Record<string, Entry[]>;
    viewsWelcome: { when: string; contents: string }[];
  };
};

const IN_EXERCISES = "resourceDirname in tutorLsp.folders";

function menu(name: string): Entry[] {
  return contributes.menus[name] ?? [];
}

/** As in the other editors: `lua/tutor_lsp/keys.lua`, `editors/emacs/tutor-lsp-keys.el`. */
const KEYS = [
  ...["c tutorLsp.check", "h tutorLsp.hint", "n tutorLsp.next", "l tutorLsp.openLesson", "a tutorLsp.attempt"],
  ...["t tutorLsp.openTest", "o testing.showMostRecentOutput", "q tutorLsp.ask", "shift+/ tutorLsp.ask"],
  ...["s tutorLsp.reveal", "e tutorLsp.easier", "d tutorLsp.compare", "r tutorLsp.review"],
  ...["f workbench.actions.view.problems", "u tutorLsp.reset", "m tutorLsp.start"],
];

test("what is said of a server that does not run fits the window, and its first button helps", () => {
  const texts = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.nls.json"), "utf8")) as Record<string, string>;
  const failed = contributes.viewsWelcome.filter(({ when }) => when.includes("&& tutorLsp.serverFailed"));
  const told = failed.map(({ when, contents }) => {
    const text = texts[contents.slice(1, -1)] ?? "";
    const [, first] = /\(command:tutorLsp\.(\w+)\)/.exec(text) ?? [];
    const keys = ["serverRan", "work"].filter((key) => when.includes(`&& tutorLsp.${key}`));
    return [...keys, text.includes("Your work is saved"), first];
  });
  assert.deepEqual(told, [
    ["serverRan", "work", true, "restart"],
    ["serverRan", false, "restart"],
    ["work", true, "setUp"],
    [false, "setUp"],
  ]);
});

test("every key has its letter, and does nothing outside exercises", () => {
  const keys = contributes.keybindings.map(({ key, command }) => `${key} ${command}`);
  assert.deepEqual(
    keys,
    KEYS.map((each) => `shift+alt+l ${each}`),
  );
  for (const { when } of contributes.keybindings) {
    assert.ok(when.startsWith(`${IN_EXERCISES} && `), when);
  }
});

test("the letters are those of the other editors; on some keyboards a question has one of its own", () => {
  const root = join(__dirname, "..", "..", "..", "..");
  const lua = readFileSync(join(root, "lua", "tutor_lsp", "keys.lua"), "utf8");
  const lisp = readFileSync(join(root, "editors", "emacs", "tutor-lsp-keys.el"), "utf8");
  const theirs = [
    [...lua.matchAll(/^ {2}\{ "(.)", "/gm)],
    [...lisp.matchAll(/^ {2}"(.)" '/gm)].filter(([, key]) => !["w", ","].includes(key ?? "")),
  ].map((found) => found.map(([, key]) => key ?? "").sort());
  const own = KEYS.map((each) => each.split(" ")[0] ?? "").filter((key) => key !== "q");
  const letters = own.map((key) => (key === "shift+/" ? "?" : key)).sort();
  assert.deepEqual(theirs, [letters, letters]);
});

test("buttons of editors have icons, and they and the menu of a stub are for exercises alone", () => {
  const icons = new Set(contributes.commands.filter(({ icon }) => icon).map(({ command }) => command));
  const title = menu("editor/title");
  assert.deepEqual(title.map(({ command }) => command.replace("tutorLsp.", "")).sort(), [
    "check",
    "hint",
    "next",
    "openLesson",
  ]);
  assert.deepEqual(
    title.filter(({ command }) => !icons.has(command)),
    [],
  );
  const context = menu("editor/context").map(({ command }) => command.replace("tutorLsp.", ""));
  for (const wanted of ["hint", "check", "reset", "compare"]) {
    assert.ok(context.includes(wanted), wanted);
  }
  for (const { when } of [...title, ...menu("editor/context")]) {
    for (const part of when.split("||")) {
      assert.ok(part.includes(IN_EXERCISES), when);
    }
  }
});

test("the view runs nothing where there is no exercise", () => {
  for (const { command, when } of menu("view/title")) {
    if (["tutorLsp.check", "tutorLsp.attempt"].includes(command)) {
      assert.match(when, /&& tutorLsp\.exercise$/);
    }
  }
});
