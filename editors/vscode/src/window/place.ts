// Which exercise this window means, and what of it is not saved yet.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import { restricted, TutorProblem } from "../words/messages";
import { exerciseRoot, isInside, RECORD, sessionFile } from "./paths";
import type { Which } from "../server/protocol";
import { askForTrust } from "../trust/ask";
import { t } from "../words/words";

/** Folders of this window, first one first. */
export function windowFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}

/** The file in front, which may be read rather than edited. */
function activeFile(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  const read = input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return vscode.window.activeTextEditor?.document.uri ?? read;
}

/** The exercise that is a folder of this window. */
export function exerciseFolder(): string | undefined {
  return windowFolders().find((folder) => existsSync(join(folder, RECORD)));
}

/** The file that says which session is meant; none where no exercise is in sight. */
function meantFile(): string | undefined {
  const file = (uri: vscode.Uri | undefined): string[] =>
    uri?.scheme === "file" ? [uri.fsPath] : [];
  return sessionFile(
    {
      active: file(activeFile())[0],
      visible: vscode.window.visibleTextEditors.flatMap(({ document }) => file(document.uri)),
      folders: windowFolders(),
    },
    existsSync,
  );
}

/** The exercise that an editor or folder of this window belongs to. */
export function meantRoot(): string | undefined {
  const file = meantFile();
  return file === undefined ? undefined : exerciseRoot(file, existsSync);
}

/** Which session this window means, for the server. */
export function which(): Which {
  const file = meantFile();
  return file === undefined ? {} : { uri: vscode.Uri.file(file).toString() };
}

/** What a command's argument says of the session that it is about; undefined if nothing. */
export function named(argument: unknown): Which | undefined {
  const { session, uri } = (argument ?? {}) as { session?: unknown; uri?: unknown };
  if (typeof session === "string") {
    return { session };
  }
  return typeof uri === "string" ? { uri } : undefined;
}

/** The exercise that a document given by its URI belongs to. */
export function rootOf(uri: string): string | undefined {
  const { scheme, fsPath } = vscode.Uri.parse(uri);
  return scheme === "file" ? exerciseRoot(fsPath, existsSync) : undefined;
}

/**
 * Has the learner asked for trust where the window has none and they want something of it. Throws a
 * TutorProblem where nothing may run then.
 */
export async function mayRun(asked: boolean): Promise<void> {
  if (!vscode.workspace.isTrusted && !(asked && (await askForTrust()))) {
    throw restricted();
  }
}

/** Saves what the learner has changed in an exercise, so that runs see what is on the screen. */
export async function saveExercise(root = meantRoot()): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    const { scheme, fsPath } = document.uri;
    const meant = root !== undefined && scheme === "file" && isInside(root, fsPath);
    if (meant && document.isDirty && !(await document.save())) {
      throw new TutorProblem(
        "UNSAVED",
        t`${basename(fsPath)} could not be saved. Save it yourself, then try again.`,
      );
    }
  }
}
