// Opening what the learner reads and edits.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { COACH, headingFrom, isReading } from "./paths";
import type { Comparison, Place, SessionReady } from "./protocol";
import { isPreview, type Reading } from "./reading";
import { differsAt, linesOf } from "./review";
import { tell } from "./ui";
import { focusUnit } from "./units";

/** The column in which `uri` is open as text, else the first where nothing is read. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const group = [activeTabGroup, ...all].find(({ tabs }) =>
    tabs.some(({ input }) => {
      return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
    }),
  );
  const free = all.find(({ activeTab }) => !isPreview(activeTab));
  return (group ?? free)?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Opens `file` at a 1-based line where it is open, else beside what is read. */
export async function showCode(file: string, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  const uri = vscode.Uri.file(file);
  await vscode.window.showTextDocument(uri, {
    viewColumn: columnOf(uri),
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
    viewColumn: columnOf(document.uri),
    preview: false,
    selection: lines,
  });
}

/** Opens what the server names by a 1-based line: prose rendered, everything else as text. */
export async function showPlace(reading: Reading, path: string, line: number): Promise<void> {
  await (isReading(path, existsSync) ? reading.showAt(path, line - 1) : showCode(path, line));
}

/** Hints and reviews beside the code; false if there are none yet. */
export async function showCoach(
  reading: Reading,
  workspace: string | undefined,
): Promise<boolean> {
  if (workspace === undefined || !existsSync(join(workspace, COACH))) {
    return false;
  }
  await reading.show(join(workspace, COACH));
  return true;
}

/** The review of an attempt beside the code; false if there is none. */
export async function showReview(
  reading: Reading,
  workspace: string | undefined,
  attempt: number,
): Promise<boolean> {
  const file = workspace === undefined ? undefined : join(workspace, COACH);
  if (file === undefined || !existsSync(file)) {
    return false;
  }
  const heading = headingFrom(await readFile(file, "utf8"), `Review of attempt ${attempt}:`);
  if (heading === undefined) {
    return false;
  }
  await reading.show(file, heading);
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
export async function showExercise(reading: Reading, ready: SessionReady): Promise<void> {
  const unit = focusUnit(ready.units);
  if (unit !== undefined) {
    await showCode(join(ready.workspace, unit.file), unit.line);
  }
  await reading.show(ready.lesson, unit?.lesson.heading);
}

/** The learner's file beside one with the reference in its place, where the two begin to differ. */
export async function showComparison(comparison: Comparison): Promise<void> {
  const { unit, yours, reference } = comparison;
  const [own, other] = await Promise.all([readFile(yours, "utf8"), readFile(reference, "utf8")]);
  const line = differsAt(own, other);
  if (line === undefined) {
    tell(`${unit}: what you wrote is the same as the reference.`);
    return;
  }
  const at = new vscode.Position(line - 1, 0);
  const files = [vscode.Uri.file(yours), vscode.Uri.file(reference)];
  const how = { selection: new vscode.Range(at, at) };
  await vscode.commands.executeCommand("vscode.diff", ...files, `${unit}: yours ↔ reference`, how);
}
