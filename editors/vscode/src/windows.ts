// In which window an exercise opens, and what is said before the editor asks for trust.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Context } from "./context";
import { restricted, trustText } from "./messages";
import { PAGE } from "./pages";
import { RECORD, type Where, whereToOpen } from "./paths";
import { windowFolders } from "./place";
import type { SessionReady } from "./protocol";
import { showCode, showExercise } from "./show";
import type { Arrival, Storage } from "./storage";
import { noteArrival, noteTrust, opensTrusted, wasTrustExplained } from "./trust";
import { focusUnit } from "./units";
import { wrapLines } from "./wrapping";

function tabsInUse(): boolean {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .some(({ isDirty, input }) => {
      return isDirty || (input instanceof vscode.TabInputText && input.uri.scheme !== PAGE);
    });
}

/** The exercise that is a folder of this window. */
export function exerciseFolder(): string | undefined {
  return windowFolders().find((folder) => existsSync(join(folder, RECORD)));
}

function arrivalOf(ready: SessionReady): Arrival {
  const unit = focusUnit(ready.units);
  return {
    root: ready.workspace,
    file: join(ready.workspace, unit?.file ?? ready.files[0] ?? "LESSON.md"),
    line: unit?.line ?? 1,
    lesson: ready.lesson,
    heading: unit?.lesson.heading,
    made: ready.jobId !== null,
  };
}

/** Opens an exercise with stub and lesson, in the window where it belongs. */
export async function openExercise(
  context: Context,
  ready: SessionReady,
  goingOn: boolean,
): Promise<void> {
  const where = whereToOpen(ready.workspace, {
    folders: windowFolders(),
    inUse: tabsInUse(),
    goingOn: goingOn && exerciseFolder() !== undefined,
  });
  if (where === "here") {
    await showExercise(context.reading, ready);
    return;
  }
  if (!(await explainTrust(context, ready.workspace))) {
    const found = `You find "${ready.title}" under Continue in "Tutor: Start Exercise".`;
    context.offer(found, [{ title: "Open", run: () => openFolder(context, ready, where) }]);
    return;
  }
  await openFolder(context, ready, where);
}

async function openFolder(context: Context, ready: SessionReady, where: Where): Promise<void> {
  const arrival = arrivalOf(ready);
  context.storage.leaveArrival(arrival);
  wrapUnlessChosen(context, arrival.root);
  const desktop = vscode.env.uiKind === vscode.UIKind.Desktop;
  const reuse = where === "this window";
  const options = reuse ? { forceReuseWindow: true } : { forceNewWindow: true };
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(arrival.root), {
    ...options,
    // The window then has the stub before extensions run. A browser would open it in this one.
    filesToOpen: desktop ? [vscode.Uri.file(arrival.file)] : [],
  });
}

/** Has long lines wrapped where the learner has not said how they are to be shown. */
function wrapUnlessChosen(context: Context, root: string): void {
  const seen = vscode.workspace.getConfiguration("editor").inspect("wordWrap");
  if (seen?.globalValue === undefined) {
    try {
      wrapLines(root);
    } catch (error) {
      context.log.warn(`Long lines will not be wrapped: ${String(error)}`);
    }
  }
}

/** Takes note that the learner has trusted this window's exercise. */
export function trusted(storage: Storage): void {
  const root = exerciseFolder();
  if (root !== undefined) {
    noteTrust(storage, root);
  }
}

/** What was left for this window, on its way to the screen. */
export interface Arriving {
  arrival: Arrival;
  shown: Promise<void>;
}

/** Shows the stub that was left for this window's exercise: what a window does before all else. */
export function arriveAtCode(storage: Storage): Arriving | undefined {
  const root = exerciseFolder();
  const arrival = root === undefined ? undefined : storage.takeArrival(root);
  return arrival && { arrival, shown: showCode(arrival.file, arrival.line) };
}

/** Shows the rest of what was left: the lesson, and why nothing runs where that is so. */
export async function arrive(context: Context, { arrival, shown }: Arriving): Promise<void> {
  noteArrival(context.storage, arrival, vscode.workspace.isTrusted);
  await shown;
  await context.reading.show(arrival.lesson, arrival.heading);
  if (!vscode.workspace.isTrusted) {
    await context.showProblem(restricted());
  }
}

/**
 * Says why the editor is about to ask for trust, unless it will not ask. False where the learner
 * would rather not go on.
 */
async function explainTrust(context: Context, root: string): Promise<boolean> {
  const asks = vscode.workspace.getConfiguration("security.workspace.trust").get<boolean>("enabled", true);
  if (!asks || opensTrusted(context.storage, root)) {
    return true;
  }
  // Nobody is talked into trusting a whole home folder.
  const home = context.home === homedir() ? undefined : context.home;
  const detail = trustText(root, home, wasTrustExplained(context.storage));
  const chosen = await vscode.window.showInformationMessage(
    "Your exercise is ready to open",
    { modal: true, detail },
    "Open",
  );
  return chosen === "Open";
}
