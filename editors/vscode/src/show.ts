// Opening what the learner reads and edits.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { COACH, headingAt, headingSlug, isReading } from "./paths";
import { focusUnit } from "./pickers";
import type { Comparison, Place, SessionReady } from "./protocol";
import { linesOf } from "./review";

/** The editor with code, even while a preview has the focus. */
function codeEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  return all.find(
    ({ document }) => document.uri.scheme === "file" && document.languageId !== "markdown",
  );
}

/** Opens `file` at a 1-based line in the first column. */
export async function showCode(file: string, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    viewColumn: vscode.ViewColumn.One,
    preview: false,
    selection: new vscode.Range(at, at),
  });
}

/** Opens `file` with the lines selected that a review quoted, wherever they stand by now. */
export async function showQuoted(file: string, place: Place): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const [first, last] = linesOf(document.getText(), place);
  const lines = document.lineAt(first - 1).range.union(document.lineAt(last - 1).range);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    preview: false,
    selection: lines,
  });
}

/**
 * Opens a Markdown file rendered, beside the code if there is any; the code keeps the focus.
 * The preview is locked to its file, so that lesson and hints stay two tabs.
 */
export async function showReading(file: string, heading?: string): Promise<void> {
  const fragment = heading === undefined ? "" : headingSlug(heading);
  const uri = vscode.Uri.file(file).with({ fragment });
  const code = codeEditor();
  const back = async (): Promise<void> => {
    if (code !== undefined) {
      const viewColumn = code.viewColumn ?? vscode.ViewColumn.One;
      await vscode.window.showTextDocument(code.document, { viewColumn });
    }
  };
  // "Beside" counts from the focused column, which may be a preview's.
  await back();
  await vscode.commands.executeCommand(
    code === undefined ? "markdown.showPreview" : "markdown.showLockedPreviewToSide",
    uri,
  );
  await back();
}

/** As showReading, at the section that a zero-based line of the file belongs to. */
export async function showReadingAt(file: string, line: number): Promise<void> {
  await showReading(file, headingAt(await readFile(file, "utf8"), line));
}

/** Opens what the server names by a 1-based line: prose rendered, everything else as text. */
export async function showPlace(workspace: string, file: string, line: number): Promise<void> {
  const path = join(workspace, file);
  await (isReading(path, existsSync) ? showReadingAt(path, line - 1) : showCode(path, line));
}

/** Hints and reviews beside the code; false if there are none yet. */
export async function showCoach(workspace: string | undefined): Promise<boolean> {
  if (workspace === undefined || !existsSync(join(workspace, COACH))) {
    return false;
  }
  await showReading(join(workspace, COACH));
  return true;
}

/** Whether hints and reviews have this text. */
export async function coachHas(workspace: string | undefined, text: string): Promise<boolean> {
  if (workspace === undefined || !existsSync(join(workspace, COACH))) {
    return false;
  }
  return (await readFile(join(workspace, COACH), "utf8")).includes(text.trim());
}

/** The stub to begin with, and the lesson at its section beside it. */
export async function showExercise(ready: SessionReady): Promise<void> {
  const unit = focusUnit(ready.units);
  if (unit !== undefined) {
    await showCode(join(ready.workspace, unit.file), unit.line);
  }
  await showReading(ready.lesson, unit?.lesson.heading);
}

/** The learner's file beside one with the reference in its place. */
export async function showComparison(comparison: Comparison): Promise<void> {
  const { unit, yours, reference } = comparison;
  const title = `${unit}: yours ↔ reference`;
  const files = [vscode.Uri.file(yours), vscode.Uri.file(reference)];
  await vscode.commands.executeCommand("vscode.diff", ...files, title);
}
