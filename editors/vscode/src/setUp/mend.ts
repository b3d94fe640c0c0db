// What the buttons under a failed set-up do. Each leads back to what was asked for.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import type { Installation } from "./install";
import { compilerCommand, pythonCommand } from "./installing";
import { findPython, isRecent, placesHere } from "./find";

export type Mend = "python" | "compiler" | "elsewhere" | "reinstall";

/** How often (ms) to look whether what is being installed is there. */
const LOOK_MS = 2000;
const PYTHON_PAGE = "https://www.python.org/downloads/";
const COMPILER_PAGE = "https://gcc.gnu.org/install/binaries.html";

function has(program: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** Mends what it can; whether to go on with what was asked for. `id`: the extension's own. */
export async function mend(installation: Installation, what: Mend, id: string): Promise<boolean> {
  const root = process.getuid?.() === 0;
  if (what === "python") {
    const old = (await findPython(placesHere(), isRecent, () => undefined)).other !== undefined;
    const command = pythonCommand(has, old, root);
    if (command === undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(PYTHON_PAGE));
      return false;
    }
    return runs(command, (changedOnly) => installation.hasPython(changedOnly));
  }
  if (what === "compiler") {
    // A compiler alone is not enough, and may have been there before.
    const command = compilerCommand(has, root);
    if (command === undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(COMPILER_PAGE));
      return false;
    }
    return runs(command, () => Promise.resolve(false));
  }
  if (what === "elsewhere") {
    await installation.moveElsewhere();
    return true;
  }
  if (installation.useWheel()) {
    return true;
  }
  await vscode.commands.executeCommand("extension.open", id);
  return false;
}

/**
 * Runs a command where the learner can answer it; whether it ended well, or what it is for is `there`,
 * which need not look thoroughly while the command still runs.
 */
async function runs(command: string, there: (changedOnly: boolean) => Promise<boolean>): Promise<boolean> {
  const terminal = vscode.window.createTerminal("Tutor");
  const closed = new AbortController();
  const closing = vscode.window.onDidCloseTerminal((each) => {
    if (each === terminal) {
      closed.abort();
    }
  });
  terminal.show();
  // It stays where something went wrong, to be read.
  terminal.sendText(`${command} && exit`);
  try {
    while (!closed.signal.aborted) {
      if (await there(true)) {
        return true;
      }
      await delay(LOOK_MS, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
    }
    return terminal.exitStatus?.code === 0 || (await there(false));
  } finally {
    closing.dispose();
  }
}
