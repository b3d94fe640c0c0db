// Which exercise the window turns to: tree, status bar, Testing view and lesson follow it.
import * as vscode from "vscode";
import type { Context } from "../context";
import { meantRoot } from "../window/place";

/** How long (ms) to wait after a change: between two editors there is a moment with none. */
const REST_MS = 50;

/**
 * Reads the state again when another exercise comes to the front, and only then; calls `begin` when one
 * comes into sight in a window that has not needed the server before.
 */
export function attend(context: Context, begin: () => unknown): { dispose(): void } {
  let resting: NodeJS.Timeout | undefined;
  const turned = (): void => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (context.isRunning && context.hasTurned()) {
        context.refreshQuietly();
      } else if (!context.wasTried && meantRoot() !== undefined) {
        begin();
      }
    }, REST_MS);
  };
  const { onDidChangeActiveTextEditor, onDidChangeVisibleTextEditors, tabGroups } = vscode.window;
  const events = [
    onDidChangeActiveTextEditor(turned),
    onDidChangeVisibleTextEditors(turned),
    // What is read is no text editor.
    tabGroups.onDidChangeTabs(turned),
    tabGroups.onDidChangeTabGroups(turned),
  ];
  return {
    dispose: () => {
      clearTimeout(resting);
      events.forEach((event) => void event.dispose());
    },
  };
}
