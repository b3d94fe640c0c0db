// The status bar item: what messages.barOf says, put on the screen.
import * as vscode from "vscode";
import { type BarState, barOf } from "../words/messages";

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "tutorLsp.status",
    vscode.StatusBarAlignment.Left,
    10,
  );
  private state: BarState = { server: "off" };

  constructor() {
    this.item.name = "Tutor";
  }

  dispose(): void {
    this.item.dispose();
  }

  /** Takes over what has changed; the rest stays. */
  show(change: Partial<BarState>): void {
    this.state = { ...this.state, ...change };
    const bar = barOf(this.state);
    if (bar === null) {
      this.item.hide();
      return;
    }
    this.item.text = bar.text;
    const [command, ...args] = bar.command ?? ["tutorLsp.status"];
    this.item.command = { command, title: "", arguments: args };
    this.item.tooltip = bar.tooltip;
    this.item.accessibilityInformation = { label: `Tutor: ${bar.tooltip}` };
    this.item.backgroundColor = bar.warning
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    this.item.show();
  }
}
