// What the learner points at: the step whose stub or test is under the cursor.
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as vscode from "vscode";
import type { Known } from "../server/known";
import { exerciseRoot, isInside } from "../window/paths";
import { meantRoot, rootOf, which } from "../window/place";
import type { Position, UnitInfo, Which } from "../server/protocol";
import { unitAt } from "../exercises/units";

/** A session, and the cursor in one of its files. The server says which unit that is. */
export type Here = Which & { position?: Position };

/** The editor with the exercise's code, even while its lesson has the keys. */
function codeEditor(root: string): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  return all.find(({ document: { uri, languageId } }) => {
    const isCode = uri.scheme === "file" && languageId !== "markdown";
    return isCode && exerciseRoot(uri.fsPath, existsSync) === root;
  });
}

/**
 * The cursor in the exercise's code, by default in that which the window means; only the session
 * where there is none.
 */
export function here(meant = which()): Here {
  const root = meant.uri === undefined ? undefined : rootOf(meant.uri);
  const editor = root === undefined ? undefined : codeEditor(root);
  if (editor === undefined) {
    return meant;
  }
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/** As `here`, but from tests alone: who is on a stub already wants to go to the present one. */
export function hereInTests(): Here {
  const root = meantRoot();
  const editor = root === undefined ? undefined : codeEditor(root);
  const inTests =
    root !== undefined &&
    editor !== undefined &&
    isInside(join(root, "tests"), editor.document.uri.fsPath);
  return inTests ? here() : which();
}

/** The unit whose stub is under the cursor, where that is in the exercise that is known. */
export function unitHere({ info, units }: Known, { uri, position }: Here): UnitInfo | undefined {
  if (info === null || uri === undefined || !position) {
    return undefined;
  }
  const file = relative(info.workspace, vscode.Uri.parse(uri).fsPath).replaceAll(sep, "/");
  return unitAt(units, file, position.line);
}
