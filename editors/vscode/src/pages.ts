// Short texts in a tab of their own, which nobody is asked to save; and the report.
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { themed } from "./theme";
import { tell } from "./ui";

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

/** The page of an HTML file: in the browser, or in a tab where a browser would not find the file. */
export async function showReport(path: string): Promise<void> {
  const { env } = vscode;
  if (env.remoteName === undefined && env.uiKind === vscode.UIKind.Desktop) {
    if (!(await env.openExternal(vscode.Uri.file(path)))) {
      tell(`The report is at ${path}`);
    }
    return;
  }
  const html = await readFile(path, "utf8");
  const column = vscode.ViewColumn.Active;
  // Neither scripts nor files: the page has all it needs in itself.
  const panel = vscode.window.createWebviewPanel("tutorLsp.report", "Progress Report", column, {
    enableScripts: false,
    enableFindWidget: true,
    localResourceRoots: [],
  });
  panel.webview.html = themed(html);
}
