// "Practise this error" in any project. A running server offers it itself, where it knows the code;
// this is for windows in which the tutor has not been used yet.
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { codeOf, LANGUAGES, worthPractising } from "../code/errorCodes";
import { exerciseRoot } from "../window/paths";
import { t } from "../words/words";

export class Practise implements vscode.CodeActionProvider {
  constructor(private readonly isRunning: () => boolean) {}

  register(): vscode.Disposable {
    const selector = LANGUAGES.map((language) => ({ scheme: "file", language }));
    return vscode.languages.registerCodeActionsProvider(selector, this, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    });
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const inside = exerciseRoot(document.uri.fsPath, existsSync) !== undefined;
    if (this.isRunning() || inside || !vscode.workspace.isTrusted) {
      return [];
    }
    const found = diagnostics.find(({ code, source }) =>
      worthPractising(codeOf(code), source, document.languageId),
    );
    if (found === undefined) {
      return [];
    }
    const code = codeOf(found.code);
    const action = new vscode.CodeAction(
      t`Practise this error (${code})`,
      vscode.CodeActionKind.QuickFix,
    );
    action.command = {
      command: "tutorLsp.start",
      title: action.title,
      arguments: [{ errorCode: code, language: document.languageId }],
    };
    return [action];
  }
}
