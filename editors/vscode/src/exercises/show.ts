// Opening what the learner reads and edits.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import type { Known } from "../server/known";
import { PAGE } from "../reading/pages";
import { COACH, isReading } from "../window/paths";
import type { Comparison, Place, Ready, Said, UnitInfo } from "../server/protocol";
import { isPreview, type Reading } from "../reading/reading";
import { differsAt, linesOf } from "./review";
import { tell } from "../words/ui";
import type { Lines } from "../window/storage";
import { focusUnit, isFresh } from "./units";

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

/**
 * Opens `file` with the cursor where the body of a stub is to be written, and the whole of the stub
 * on the screen as far as it fits.
 */
export async function showStub(file: string, { line, body }: StubLines): Promise<void> {
  if (body === undefined) {
    await showCode(file, line);
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const row = Math.min(Math.max(body.endLine, 1), document.lineCount) - 1;
  const at = new vscode.Position(row, document.lineAt(row).firstNonWhitespaceCharacterIndex);
  await vscode.window.showTextDocument(document, {
    viewColumn: columnOf(document.uri),
    preview: false,
    selection: new vscode.Range(at, at),
  });
  revealStub(file, { line, body });
}

/** Brings a stub back on the screen where its editor has become narrower; the cursor stays. */
export function revealStub(file: string, { line, body }: StubLines): void {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file);
  const last = (body?.endLine ?? line) - 1;
  // Whoever has gone elsewhere meanwhile stays there.
  if (editor?.selection.active.line === last) {
    const stub = new vscode.Range(Math.max(0, line - 1), 0, last, 0);
    editor.revealRange(stub, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** Lines of a stub, 1-based: its name's, and those of its body where they are known. */
type StubLines = Pick<UnitInfo, "line"> & { body?: Lines };

/** Opens `file` with the lines selected that a review quoted, wherever they are now. */
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

/** Opens `file` at a 1-based line; where that is a stub's name, with the cursor in its body. */
export async function showNamed({ info, units }: Pick<Known, "info" | "units">, file: string, line: number): Promise<void> {
  const isIt = (unit: UnitInfo): boolean =>
    info !== null && join(info.workspace, unit.file) === file && unit.line === line;
  const unit = units.find(isIt);
  await (unit === undefined ? showCode(file, line) : showStub(file, unit));
}

/** Opens what the server names by a 1-based line: prose rendered, everything else as text. */
export async function showPlace(
  { reading, state }: { reading: Reading; state: Known },
  path: string,
  line: number,
): Promise<void> {
  await (isReading(path, existsSync) ? reading.showAt(path, line - 1) : showNamed(state, path, line));
}

/** The file with hints and reviews, once there are some. */
function coachOf(workspace: string | undefined): string | undefined {
  const file = workspace && join(workspace, COACH);
  return file && existsSync(file) ? file : undefined;
}

/** Hints and reviews beside the code; false if there are none yet. */
export async function showCoach(reading: Reading, workspace: string | undefined): Promise<boolean> {
  const file = coachOf(workspace);
  await (file && reading.show(file));
  return file !== undefined;
}

/** Whether hints and reviews have this text. */
export async function coachHas(workspace: string | undefined, text: string): Promise<boolean> {
  const file = coachOf(workspace);
  return file !== undefined && (await readFile(file, "utf8")).includes(text.trim());
}

/** The stub to begin with, and the lesson at its section beside it. */
export async function showExercise(
  reading: Reading,
  ready: Pick<Ready, "workspace" | "lesson"> & { units: readonly UnitInfo[] },
): Promise<void> {
  const unit = focusUnit(ready.units);
  if (unit !== undefined) {
    await showStub(join(ready.workspace, unit.file), unit);
  }
  await reading.showLesson(ready.lesson, unit?.lesson.heading, isFresh(ready.units));
  if (unit !== undefined) {
    revealStub(join(ready.workspace, unit.file), unit);
  }
}

/** The learner's file beside one with the reference in its place, where the two begin to differ. */
export async function showComparison({ yours, reference, say }: Said<Comparison>): Promise<void> {
  const [own, other] = await Promise.all([readFile(yours, "utf8"), readFile(reference, "utf8")]);
  const line = differsAt(own, other);
  if (line === undefined) {
    tell(say.oneLine);
    return;
  }
  const at = new vscode.Position(line - 1, 0);
  // Read only, and without the path of a copy that is none of the learner's.
  const path = /* not shown */ `/reference/${basename(yours)}`;
  const files = [vscode.Uri.file(yours), vscode.Uri.from({ scheme: PAGE, path, query: other })];
  const how = { selection: new vscode.Range(at, at) };
  await vscode.commands.executeCommand("vscode.diff", ...files, say.title, how);
}
