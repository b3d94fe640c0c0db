// The first screen of an exercise window: what stands where. Only commands that the learner has, too:
// whatever they change afterwards stays so.
import * as vscode from "vscode";
import { isSpacious, type Layout, split, widths } from "./columns";

function fontSize(): number {
  return vscode.workspace.getConfiguration("editor").get("fontSize", 14);
}

/** Widths (CSS pixels) of the editor groups that stand beside each other. */
export async function groupWidths(): Promise<number[] | undefined> {
  const layout = await vscode.commands.executeCommand<Layout | undefined>("vscode.getEditorLayout");
  return layout === undefined ? undefined : widths(layout);
}

/** Width of all groups together; a single one counts as a row, of which the editor tells the width. */
async function width(): Promise<number | undefined> {
  if (vscode.window.tabGroups.all.length === 1) {
    await vscode.commands.executeCommand("vscode.setEditorLayout", { orientation: 0, groups: [{}] });
  }
  return (await groupWidths())?.reduce((sum, each) => sum + each, 0);
}

/** The side bar on the tutor's view, or closed where code and lesson need its room. */
export async function clearTheSides(): Promise<void> {
  const { executeCommand } = vscode.commands;
  await executeCommand("workbench.action.closeAuxiliaryBar");
  await executeCommand("tutorLsp.session.focus", { preserveFocus: true });
  const room = await width();
  if (room !== undefined && !isSpacious(room, fontSize())) {
    await executeCommand("workbench.action.closeSidebar");
  }
}

/**
 * Divides the room between the code in the only group and the lesson that is about to come. Returns
 * the column for it; undefined where there is more than one group already.
 */
export async function makeRoom(): Promise<vscode.ViewColumn | undefined> {
  const room = vscode.window.tabGroups.all.length === 1 ? await width() : undefined;
  if (room === undefined) {
    return undefined;
  }
  const wanted = split(room, fontSize());
  await vscode.commands.executeCommand("vscode.setEditorLayout", wanted);
  return wanted.orientation === 0 ? vscode.ViewColumn.Beside : vscode.ViewColumn.Two;
}
