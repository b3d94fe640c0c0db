// Rendered Markdown beside the code: lesson, hints, reviews. VS Code gives a preview the keys when
// it shows it; here the code gets them back, and nothing is shown to a learner in mid-word.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as vscode from "vscode";
import { headingAt, headingSlug } from "./paths";

/** Who has typed nothing for this long (ms) is not in the middle of a word. */
const PAUSE_MS = 1000;
/** How long (ms) to wait for a preview to come to the front. */
const SHOWN_MS = 3000;
/** A new preview takes the keys once more when it is drawn, this soon (ms) at the latest. */
const DRAWN_MS = 3000;

const GROUPS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

/** Whether `tab` is the preview of a Markdown file of this name. */
export function isPreviewOf(tab: vscode.Tab | undefined, name: string): boolean {
  return isPreview(tab) && tab.label.includes(name);
}

function isPreview(tab: vscode.Tab | undefined): tab is vscode.Tab {
  return (
    tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.includes("markdown.preview")
  );
}

/** Column of what the learner works in, even while a preview has the keys. */
function workColumn(): vscode.ViewColumn | undefined {
  const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  if (activeTab !== undefined && !isPreview(activeTab)) {
    return viewColumn;
  }
  return vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.scheme === "file" && document.languageId !== "markdown",
  )?.viewColumn;
}

async function giveKeys(column: vscode.ViewColumn): Promise<void> {
  const group = GROUPS[column - 1];
  if (group !== undefined && vscode.window.tabGroups.activeTabGroup.viewColumn !== column) {
    await vscode.commands.executeCommand(`workbench.action.focus${group}EditorGroup`);
  }
}

/** Waits until the preview of `name` has the keys, at most `limit` ms; false if it did not get them. */
function hasKeys(name: string, limit: number): Promise<boolean> {
  const { tabGroups } = vscode.window;
  const holds = (): boolean => isPreviewOf(tabGroups.activeTabGroup.activeTab, name);
  if (holds()) {
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const end = (answer: boolean): void => {
      clearTimeout(late);
      listeners.forEach((listener) => {
        listener.dispose();
      });
      resolve(answer);
    };
    const look = (): void => {
      if (holds()) {
        end(true);
      }
    };
    const listeners = [tabGroups.onDidChangeTabs(look), tabGroups.onDidChangeTabGroups(look)];
    const late = setTimeout(() => {
      end(false);
    }, limit).unref();
  });
}

export class Reading implements vscode.Disposable {
  private typedAt = 0;
  private last: Promise<void> = Promise.resolve();
  private readonly typing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (document === vscode.window.activeTextEditor?.document) {
      this.typedAt = Date.now();
    }
  });

  dispose(): void {
    this.typing.dispose();
  }

  /** The learner has asked for something: what was typed before that is done. */
  asked(): void {
    this.typedAt = 0;
  }

  /**
   * Shows `file` rendered beside the code, at a heading's section, at the next pause in typing; what
   * had the keys has them afterwards. Locked to its file, so that lesson and hints stay two tabs.
   */
  show(file: string, heading?: string): Promise<void> {
    const shown = this.last
      // It takes a second when it is needed first: the pause is that of afterwards.
      .then(() => vscode.extensions.getExtension("vscode.markdown-language-features")?.activate())
      .then(() => this.pause())
      .then(() => {
        const fragment = heading === undefined ? "" : headingSlug(heading);
        return this.open(vscode.Uri.file(file).with({ fragment }));
      });
    this.last = shown.catch(() => undefined);
    return shown;
  }

  /** As show, at the section that a zero-based line of the file belongs to. */
  async showAt(file: string, line: number): Promise<void> {
    await this.show(file, headingAt(await readFile(file, "utf8"), line));
  }

  private async open(uri: vscode.Uri): Promise<void> {
    const column = workColumn();
    if (column === undefined) {
      await vscode.commands.executeCommand("markdown.showPreview", uri);
      return;
    }
    // "To the side" counts from the column that has the keys.
    await giveKeys(column);
    const name = basename(uri.fsPath);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isNew = !tabs.some((tab) => isPreviewOf(tab, name));
    await vscode.commands.executeCommand("markdown.showLockedPreviewToSide", uri);
    // The command is over before the preview is there, which takes the keys then.
    await hasKeys(name, SHOWN_MS);
    await giveKeys(column);
    if (isNew) {
      void hasKeys(name, DRAWN_MS).then(async (again) => {
        await (again ? giveKeys(column) : undefined);
      });
    }
  }

  private async pause(): Promise<void> {
    for (let rest; (rest = this.typedAt + PAUSE_MS - Date.now()) > 0; ) {
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }
}
