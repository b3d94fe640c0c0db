// Which exercise the window turns to: tree, status bar, Testing view and lesson follow it.
import * as vscode from "vscode";
import type { Context } from "./context";

/** How long (ms) editors must rest: on the way from one to the next there is none. */
const REST_MS = 50;

/** Reads the state anew when another exercise comes to the front; asks nothing otherwise. */
export class Attention implements vscode.Disposable {
  private resting: NodeJS.Timeout | undefined;
  private readonly events: vscode.Disposable[];

  constructor(private readonly context: Context) {
    const turned = (): void => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => {
        this.look();
      }, REST_MS);
    };
    const { onDidChangeActiveTextEditor, onDidChangeVisibleTextEditors } = vscode.window;
    this.events = [onDidChangeActiveTextEditor(turned), onDidChangeVisibleTextEditors(turned)];
  }

  dispose(): void {
    clearTimeout(this.resting);
    this.events.forEach((event) => {
      event.dispose();
    });
  }

  private look(): void {
    if (this.context.isRunning && this.context.hasTurned()) {
      this.context.refreshQuietly();
    }
  }
}
