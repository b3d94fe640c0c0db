// Short texts in a tab of their own, which nobody is asked to save.
import * as vscode from "vscode";

/** Scheme of these texts; what is shown is the query. */
export const PAGE = "tutor-lsp-page";

export function registerPages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(PAGE, {
    provideTextDocumentContent: ({ query }) => query,
  });
}

export async function showPage(title: string, text: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: PAGE, path: `Tutor ${title}`, query: text });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
