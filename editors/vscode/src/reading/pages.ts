// What the server says as a page of its own, which nobody is asked to save; and the report.
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { ReportPage, Said, Say } from "../server/protocol";
import { themed } from "./theme";
import { tell } from "../words/ui";

/** Scheme of these texts; what is shown is the query. */
export const PAGE = "tutor-lsp-page";

export function registerPages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(PAGE, {
    provideTextDocumentContent: ({ query }) => query,
  });
}

/** The whole of what the server says, rendered. */
export async function showPage({ title, markdown }: Say): Promise<void> {
  const uri = vscode.Uri.from({ scheme: PAGE, path: /* not shown */ `Tutor · ${title}.md`, query: markdown });
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}

/** The page of an HTML file: in the browser, or in a tab where a browser would not find the file. */
export async function showReport({ path, say }: Said<ReportPage>): Promise<void> {
  const { env } = vscode;
  if (env.remoteName === undefined && env.uiKind === vscode.UIKind.Desktop) {
    if (!(await env.openExternal(vscode.Uri.file(path)))) {
      tell(say.oneLine);
    }
    return;
  }
  const html = await readFile(path, "utf8");
  const column = vscode.ViewColumn.Active;
  // Neither scripts nor files: the page has all it needs in itself.
  const panel = vscode.window.createWebviewPanel("tutorLsp.report", say.title, column, {
    enableScripts: false,
    enableFindWidget: true,
    localResourceRoots: [],
  });
  panel.webview.html = themed(html);
}
