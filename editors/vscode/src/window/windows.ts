// In which window an exercise opens, and what is said while the editor asks for trust.
import { join } from "node:path";
import * as vscode from "vscode";
import type { Context } from "../context";
import { restricted, trustText } from "../words/messages";
import { PAGE } from "../reading/pages";
import { isInside, type Where, whereToOpen } from "./paths";
import { exerciseFolder, windowFolders } from "./place";
import type { SessionReady } from "../server/protocol";
import { revealStub, showExercise, showStub } from "../exercises/show";
import type { Arrival, Storage } from "./storage";
import { openFiles } from "./comeBack";
import { askForTrust } from "../trust/ask";
import { folderToOpen, isForTrust, noteArrival, noteTrust } from "../trust/folders";
import { focusUnit, isFresh } from "../exercises/units";

function tabsInUse(): boolean {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .some(({ isDirty, input }) => {
      return isDirty || (input instanceof vscode.TabInputText && input.uri.scheme !== PAGE);
    });
}

/** Whether a file of the exercise at `root` is open in this window. */
function isShown(root: string): boolean {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .some(({ input }) => {
      const file = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return file && isInside(root, input.uri.fsPath);
    });
}

function arrivalOf(ready: SessionReady, folder: string): Arrival {
  const unit = focusUnit(ready.units);
  return {
    folder,
    root: ready.workspace,
    file: join(ready.workspace, unit?.file ?? ready.files[0] ?? "LESSON.md"),
    line: unit?.line ?? 1,
    ...(unit && { body: unit.body }),
    lesson: ready.lesson,
    heading: unit?.lesson.heading,
    fresh: isFresh(ready.units),
    made: ready.jobId !== null,
  };
}

/** Opens an exercise with stub and lesson, in the window where it belongs. */
export async function openExercise(
  context: Context,
  ready: SessionReady,
  goingOn: boolean,
): Promise<void> {
  const folders = windowFolders();
  const forTrust = isForTrust(context.storage, folders);
  const where = whereToOpen(ready.workspace, {
    folders,
    inUse: tabsInUse(),
    goingOn: goingOn && (forTrust || exerciseFolder() !== undefined),
    isOfAnother: forTrust && !isShown(ready.workspace),
  });
  await (where === "here" ? showExercise(context.reading, ready) : openFolder(context, ready, where));
}

async function openFolder(context: Context, ready: SessionReady, where: Where): Promise<void> {
  const folder = asksForTrust()
    ? folderToOpen(context.storage, ready.workspace, context.home)
    : ready.workspace;
  const arrival = arrivalOf(ready, folder);
  context.storage.leaveArrival(arrival);
  context.screen.prepare(folder);
  const desktop = vscode.env.uiKind === vscode.UIKind.Desktop;
  const reuse = where === "this window";
  const options = reuse ? { forceReuseWindow: true } : { forceNewWindow: true };
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), {
    ...options,
    // The window then has the stub before extensions run. A browser would open it in this one.
    filesToOpen: desktop ? [vscode.Uri.file(arrival.file)] : [],
  });
}

function asksForTrust(): boolean {
  return vscode.workspace.getConfiguration("security.workspace.trust").get("enabled", true);
}

/** Takes note that the learner has trusted this window's folders. */
export function trusted(storage: Storage): void {
  windowFolders().forEach((folder) => {
    noteTrust(storage, folder);
  });
}

/** What was left for this window, on its way to the screen; not `shown` where that needs no help. */
export interface Arriving {
  arrival: Arrival;
  again: boolean;
  shown: Promise<boolean>;
}

/**
 * Shows the stub that was left for this window: what a window does before all else. Once more where
 * it has come up again without stub or lesson, and with nothing else.
 */
export function arriveAtCode(storage: Storage): Arriving | undefined {
  const [folder] = windowFolders();
  const taken = folder === undefined ? undefined : storage.takeArrival(folder);
  if (taken === undefined) {
    return undefined;
  }
  const { arrival, again } = taken;
  const show = async (): Promise<boolean> => {
    const open = again ? await openFiles() : [];
    const own = [arrival.file, arrival.lesson];
    if (own.every((file) => open.includes(file)) || !open.every((file) => own.includes(file))) {
      storage.dropArrival(arrival.folder);
      return false;
    }
    if (!open.includes(arrival.file)) {
      await showStub(arrival.file, arrival);
    }
    return true;
  };
  return { arrival, again, shown: show() };
}

/** Shows the rest of what was left: the lesson, and the question of trust where there is none. */
export async function arrive(context: Context, { arrival, again, shown }: Arriving): Promise<void> {
  if (!again) {
    noteArrival(context.storage, arrival, vscode.workspace.isTrusted);
  }
  if (!(await shown)) {
    return;
  }
  await context.screen.arrive();
  await Promise.all([
    context.reading
      .showLesson(arrival.lesson, arrival.heading, arrival.fresh === true)
      .then(() => {
        revealStub(arrival.file, arrival);
      }),
    sayAndAsk(context, arrival.folder !== arrival.root),
  ]);
}

/** Has the editor ask for trust, and says why. `all`: for the folder of all exercises. */
async function sayAndAsk(context: Context, all: boolean): Promise<void> {
  if (vscode.workspace.isTrusted) {
    return;
  }
  const location = vscode.ProgressLocation.Notification;
  const trusts = await vscode.window.withProgress({ location, title: trustText(all) }, askForTrust);
  if (!trusts) {
    await context.showProblem(restricted());
  }
}
