// rust-analyzer beside the tutor.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

export function startAnalyzer(command: string): vscode.Disposable {
  const client = new LanguageClient(
    "rust-analyzer",
    "rust-analyzer",
    // Without a transport it gets no argument, and it knows none.
    { command },
    { documentSelector: [{ scheme: "file", language: "rust" }] },
  );
  void client.start();
  return new vscode.Disposable(() => void client.dispose());
}
