// What the learner points at: the step whose stub or test is under the cursor.
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { exerciseRoot, isInside } from "./paths";
import { meantRoot, rootOf, which } from "./place";
import type { Position, Which } from "./protocol";

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
