// An exercise's window that comes up with no editor in it: reloaded before the editor had stored what
// was open, or ended by a crash. Stub and lesson are opened as in the beginning.
import { join } from "node:path";
import * as vscode from "vscode";
import type { Context } from "../context";
import { exerciseFolder } from "./place";
import { showExercise } from "../exercises/show";

/** How long (ms) a window that is starting may take to say what is open in it. */
const KNOWN_WITHIN = 2000;

/** Files that are open in this window, "" for what is none; waits until the editor knows. */
export async function openFiles(): Promise<string[]> {
  const { tabGroups } = vscode.window;
  if (tabGroups.all.length === 0) {
    let changing: vscode.Disposable | undefined;
    await new Promise((resolve) => {
      changing = tabGroups.onDidChangeTabGroups(resolve);
      setTimeout(resolve, KNOWN_WITHIN).unref();
    });
    changing?.dispose();
  }
  return tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map(({ input }) => {
      const file = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return file ? input.uri.fsPath : "";
    });
}

async function hasEditors(): Promise<boolean> {
  return (await openFiles()).length > 0;
}

/**
 * Opens the exercise of a window that the tutor arranges once it is known, if nothing is open by then.
 * `arrived`: whether it was opened already with what the window before has left.
 */
export async function comeBack(context: Context, arrived: Promise<boolean>): Promise<void> {
  const root = exerciseFolder();
  if ((await arrived) || root === undefined || !context.screen.isArranged || (await hasEditors())) {
    return;
  }
  const { info, units } = await firstState(context);
  if (info !== null && !(await hasEditors())) {
    await context.screen.arrive();
    await showExercise(context.reading, { workspace: root, lesson: join(root, "LESSON.md"), units });
  }
}

async function firstState(context: Context): Promise<Context["state"]> {
  if (context.state.info !== null) {
    return context.state;
  }
  return new Promise((resolve) => {
    const changing = context.onDidChange(() => {
      changing.dispose();
      resolve(context.state);
    });
  });
}
