// What the `when` clauses of keys, buttons and menus in the manifest ask.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";
import type { Context } from "../context";
import { exerciseRoot } from "../window/paths";
import { meantRoot } from "../window/place";

/** Folders of the open files that belong to an exercise, for `resourceDirname in …`. */
const FOLDERS = "tutorLsp.folders";
/** Whether this window has an exercise. */
const EXERCISE = "tutorLsp.exercise";
/** Whether this window is on the files of one, whatever the server says. */
const WORK = "tutorLsp.work";
/** Whether it is passed. */
const PASSED = "tutorLsp.passed";

/** The files of a tab; a comparison has two. */
function filesOf({ input }: vscode.Tab): string[] {
  const uris =
    input instanceof vscode.TabInputTextDiff
      ? [input.original, input.modified]
      : input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
        ? [input.uri]
        : [];
  return uris.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
}

/** Keeps the context keys as they are on the screen. */
export function followContext(context: Context): { dispose(): void } {
  /** Whether a folder with open files belongs to an exercise: the disk is asked once. */
  let known = new Map<string, boolean>();
  const look = (): void => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const folders = new Set(tabs.flatMap(filesOf).map(dirname));
    known = new Map(
      [...folders].map((folder) => {
        return [folder, known.get(folder) ?? exerciseRoot(folder, existsSync) !== undefined];
      }),
    );
    set(FOLDERS, [...known].filter(([, isExercise]) => isExercise).map(([folder]) => folder));
  };
  const told = new Map<string, string>();
  const standing = (): void => {
    const { info } = context.state;
    const work = meantRoot() !== undefined;
    set(WORK, work);
    // Without one here the server tells of the exercise used last.
    const here = info !== null && work;
    set(EXERCISE, here);
    set(PASSED, here && info.standing?.progress === "passed");
  };
  const set = (key: string, value: unknown): void => {
    const text = JSON.stringify(value);
    if (told.get(key) !== text) {
      told.set(key, text);
      void vscode.commands.executeCommand("setContext", key, value);
    }
  };
  look();
  standing();
  const events = [
    vscode.window.tabGroups.onDidChangeTabs(look),
    vscode.window.onDidChangeVisibleTextEditors(standing),
    vscode.workspace.onDidChangeWorkspaceFolders(standing),
    context.onDidChange(standing),
  ];
  return {
    dispose: () => {
      events.forEach((event) => void event.dispose());
    },
  };
}
