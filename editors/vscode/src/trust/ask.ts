// The editor's own question whether a window's folder is trusted. There is no way for an extension to
// ask it, so what is asked for here is something that the editor gives only with trust.
import * as vscode from "vscode";

/** A type of tasks that nobody provides. */
const NO_TASKS = "tutorLsp";

/** Whether this window is trusted, after its learner was asked. */
export async function askForTrust(): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    try {
      await vscode.tasks.fetchTasks({ type: NO_TASKS });
    } catch {
      // Trusted or not, there are none.
    }
  }
  return vscode.workspace.isTrusted;
}
