// What begins with a window, and what happens without a command.
import "./words/speaking";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { onHint, performNamed } from "./commands/actions";
import { askAbout } from "./commands/asking";
import { attend } from "./views/attention";
import { commandForm, type Palette } from "./commands/commandNames";
import { Context } from "./context";
import { LessonFollower } from "./reading/lesson";
import { COMMANDS } from "./commands/commands";
import { followContext } from "./commands/contextKeys";
import { registerPages } from "./reading/pages";
import { isHome } from "./window/paths";
import type { MarkdownIt } from "./reading/reading";
import { Practise } from "./commands/practise";
import { AtCode } from "./code/atCode";
import { comeBack } from "./window/comeBack";
import { serverKeys } from "./server/settings";
import { findAbandoned, goOn, onFailed, onReady } from "./exercises/start";
import { registerTests } from "./views/tests";
import { registerViews } from "./views/views";
import { isAlive, Storage } from "./window/storage";
import { meantRoot, windowFolders } from "./window/place";
import { arrive, arriveAtCode, trusted } from "./window/windows";

let context: Context | undefined;

/** What the editor's Markdown preview takes from this extension. */
export interface Exports {
  extendMarkdownIt<M extends MarkdownIt>(markdown: M): M;
}

export function activate(extension: vscode.ExtensionContext): Exports {
  const storage = new Storage(extension.globalStorageUri.fsPath, isAlive);
  const arriving = arriveAtCode(storage);
  const manifest = extension.extension.packageJSON as Manifest;
  const properties = manifest.contributes.configuration.flatMap((part) => {
    return Object.keys(part.properties);
  });
  const own: Context = new Context(
    {
      sessionReady: (ready) => reported(own, () => onReady(own, ready)),
      sessionFailed: (failed) => reported(own, () => onFailed(own, failed)),
      hintReady: (ready) => reported(own, () => onHint(own, ready)),
      running: () => reported(own, () => goOn(own)),
      execute: (command, argument, next) =>
        reported(own, () =>
          command === "tutor.ask" && !("question" in argument)
            ? askAbout(own, argument)
            : performNamed(own, command, argument, next),
        ),
    },
    serverKeys(properties),
    commandForm(manifest.contributes),
    {
      id: extension.extension.id,
      version: manifest.version,
      folder: extension.extensionPath,
      storage: extension.globalStorageUri.fsPath,
    },
    storage,
  );
  context = own;

  for (const [id, run] of Object.entries(COMMANDS)) {
    own.own(
      vscode.commands.registerCommand(id, (given: unknown) => {
        // A button or menu of an editor gives the file.
        const argument = given instanceof vscode.Uri ? { uri: given.toString() } : given;
        return reported(own, () => run(own, argument));
      }),
    );
  }
  registerViews(own);
  registerTests(own);
  const lesson = new LessonFollower(own.reading);
  own.own(
    registerPages(),
    new AtCode(),
    new Practise(() => own.isRunning).register(),
    attend(own, () => reported(own, () => startUnasked(own))),
    followContext(own),
    own.onDidChange(() => {
      void reported(own, () => lesson.follow(own.state.info, own.state.units));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      trusted(storage);
      begin(own);
    }),
    vscode.lm.onDidChangeChatModels(() => {
      void reported(own, () => own.telling.modelsChanged());
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["tutor.server", "tutor.home"].some((name) => change.affectsConfiguration(name))) {
        void reported(own, async () => (await own.followSettings()) || startUnasked(own));
      }
      if (change.affectsConfiguration("tutor.layout")) {
        void own.screen.follow();
      }
      if (change.affectsConfiguration("tutor")) {
        void reported(own, () => own.telling.sendSettings());
      }
    }),
  );
  if (arriving !== undefined) {
    void reported(own, () => arrive(own, arriving));
  }
  const arrived = arriving?.shown.catch(() => false) ?? Promise.resolve(false);
  void reported(own, () => comeBack(own, arrived));
  begin(own);
  void own.screen.follow();
  return { extendMarkdownIt: (markdown) => own.reading.extendMarkdownIt(markdown) };
}

export async function deactivate(): Promise<void> {
  await context?.dispose();
  context = undefined;
}

interface Manifest {
  version: string;
  contributes: Palette & { configuration: { properties: object }[] };
}

/**
 * In a trusted window the server starts with the first exercise in sight, and where a set-up was
 * left when the window was reloaded; in an empty one and in one on the tutor's home it gets ready,
 * since the list of exercises is likely to be asked for; everywhere else it starts when asked.
 */
function begin(own: Context): void {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  void reported(own, async () => {
    await startUnasked(own);
    if (await findAbandoned(own)) {
      // What was asked for then may need the server to be set up.
      await own.server(true);
      await goOn(own);
    }
  });
}

/** Starts the server where the window is one that needs it. */
async function startUnasked(own: Context): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  const folders = windowFolders();
  if (meantRoot() !== undefined) {
    await own.server(false);
  } else if (folders.length === 0 || folders.some((each) => isHome(each, existsSync))) {
    await own.getReady();
  }
}

/** Shows the learner every error in `work`; nothing else does. */
async function reported(own: Context, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    await own.report(error);
    return undefined;
  }
}
