// What the tests need beside the tutor: see package.json.
import * as vscode from "vscode";

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.window.createOutputChannel("Companion"));
}
