// The settings of exercise windows, in the exercise's .vscode/settings.json: the one place that holds
// for a single window, in Restricted Mode too, and that neither the learner's settings nor other
// windows see.
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Storage } from "./storage";
import { added, focused, type Settings, takenBack, WRAPPED } from "./folderSettings";

/** Where the editor reads settings that hold in one folder. */
const FILE = join(".vscode", "settings.json");

/** The settings for an exercise window of this learner. */
function wanted(): Settings {
  const wrap = vscode.workspace.getConfiguration("editor").inspect("wordWrap");
  return wrap?.globalValue === undefined ? { ...focused(), ...WRAPPED } : focused();
}

/**
 * Writes the settings of an exercise that is about to open in its own window, unless its folder has
 * some already, or had those. Throws where the file cannot be written.
 */
export function prepareFolder(storage: Storage, root: string): void {
  if (storage.layout(root) !== undefined) {
    return;
  }
  const settings = wanted();
  mkdirSync(join(root, ".vscode"), { recursive: true });
  try {
    writeFileSync(join(root, FILE), `${JSON.stringify(settings, undefined, 2)}\n`, { flag: "wx" });
    storage.keepLayout(root, settings);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
}

/** Adds what is missing to the settings of this window's exercise. */
export async function focusWindow(storage: Storage, root: string): Promise<void> {
  const { changes, ours } = added(wanted(), inFolder(Object.keys(wanted())), storage.layout(root) ?? {});
  await change(changes);
  storage.keepLayout(root, ours);
}

/** Takes what was added out of the settings of this window's exercise. */
export async function releaseWindow(storage: Storage, root: string): Promise<void> {
  const ours = storage.layout(root);
  if (ours === undefined) {
    return;
  }
  await change(takenBack(inFolder(Object.keys(ours)), ours));
  storage.keepLayout(root, undefined);
  removeIfEmpty(join(root, FILE));
}

function inFolder(keys: string[]): Settings {
  const all = vscode.workspace.getConfiguration();
  return Object.fromEntries(
    keys.map((key) => [key, all.inspect(key)?.workspaceValue]).filter(([, value]) => value !== undefined),
  ) as Settings;
}

async function change(changes: Settings): Promise<void> {
  const all = vscode.workspace.getConfiguration();
  for (const [key, value] of Object.entries(changes)) {
    await all.update(key, value, vscode.ConfigurationTarget.Workspace);
  }
}

/** Removes a settings file in which nothing is left, and its folder with it. */
function removeIfEmpty(file: string): void {
  if (existsSync(file) && /^\s*\{\s*\}\s*$/.test(readFileSync(file, "utf8"))) {
    rmSync(file);
    try {
      rmdirSync(dirname(file));
    } catch {
      // There is something else in it.
    }
  }
}
