// What the buttons under a failed set-up do. Each leads back to what was asked for.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import type { Context } from "../context";
import { compilerCommand, pythonCommand } from "./installing";
import { findPython, hasHeaders, isRecent, placesHere } from "./find";
import { setUpKey } from "../exercises/start";
import { windowFolders } from "../window/place";
import { t } from "../words/words";

export type Mend = "python" | "compiler" | "elsewhere" | "reinstall";

/** How often (ms) to look whether what is being installed is there. */
const LOOK_MS = 2000;
const PYTHON_PAGE = "https://www.python.org/downloads/";
const COMPILER_PAGE = "https://gcc.gnu.org/install/binaries.html";

function has(program: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** What there is of a C compiler, and of the headers of the Python that the server would run with. */
async function compiles(): Promise<{ cc: boolean; headers: boolean }> {
  const { python } = await findPython(placesHere(), isRecent, () => undefined);
  return { cc: has("cc"), headers: python !== undefined && (await hasHeaders(python)) };
}

/** Ends the waiting for what somebody else installs. */
let waiting = new AbortController();

/** Mends what it can, or waits until the learner has; whether to go on with what was asked for. */
export async function mend(context: Context, what: Mend): Promise<boolean> {
  const { installation, installed, storage } = context;
  waiting.abort();
  const root = process.getuid?.() === 0;
  if (what === "python") {
    const old = (await findPython(placesHere(), isRecent, () => undefined)).other !== undefined;
    const command = pythonCommand(has, old, root);
    if (command === undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(PYTHON_PAGE));
      const said = t`Once Python is installed, the tutor goes on by itself.`;
      return comes(context, said, () => installation.hasPython(true));
    }
    return runs(command, (changedOnly) => installation.hasPython(changedOnly));
  }
  if (what === "compiler") {
    // A compiler alone is not enough, and may have been there before.
    const command = compilerCommand(has, root);
    if (command === undefined) {
      const before = await compiles();
      await vscode.env.openExternal(vscode.Uri.parse(COMPILER_PAGE));
      const said = t`Once a C compiler and Python's headers are installed, the tutor goes on by itself.`;
      return comes(context, said, async () => {
        const now = await compiles();
        // With a compiler that is new it is tried, whatever is known of headers.
        return now.cc && (!before.cc || (now.headers && !before.headers));
      });
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
  // The editor starts its extensions anew for that, and what is left so leads back to the list.
  const folder = windowFolders()[0] ?? "";
  storage.keepPending(setUpKey(), { argument: null, at: Date.now(), folder, pid: process.pid, setUp: true, tries: 0 });
  await vscode.commands.executeCommand("extension.open", installed.id);
  const said = t`Once the extension is installed again, the tutor goes on by itself.`;
  return comes(context, said, () => Promise.resolve(false));
}

/**
 * Whether what the learner installs is `there`: looked for whenever the window is in front again. Try Again
 * takes their word for it.
 */
async function comes(context: Context, said: string, there: () => Promise<boolean>): Promise<boolean> {
  const mine = new AbortController();
  waiting = mine;
  return new Promise((resolve) => {
    const end = (mended: boolean): void => {
      watching.dispose();
      resolve(mended);
    };
    const watching = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (context.isRunning) {
        // It was mended in another way.
        end(false);
      } else if (focused) {
        // What cannot be looked for now, as a folder that is just being written, is not there yet.
        void there()
          .catch(() => false)
          .then((found) => {
            if (found) {
              end(true);
            }
          });
      }
    });
    mine.signal.addEventListener("abort", () => {
      end(false);
    });
    context.own({
      dispose: () => {
        end(false);
      },
    });
    context.offer(said, [
      {
        title: t`Try Again`,
        run: () => {
          end(true);
        },
      },
    ]);
  });
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
