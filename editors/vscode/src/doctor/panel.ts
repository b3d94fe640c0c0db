// The doctor's page in a tab of its own.
import * as vscode from "vscode";
import type { Diagnosis, Said } from "../server/protocol";
import type { CommandForm } from "../commands/commandNames";
import { commandsOf, doctorPage } from "./page";
import { t } from "../words/words";

const KIND = "tutorLsp.doctor";

/** The tab that is open, if there is one: a second look fills it anew. */
let open: vscode.WebviewPanel | undefined;

/** Shows what the doctor found. */
export function showDoctor(diagnosis: Said<Diagnosis>, form: CommandForm): void {
  // Texts that are not translated into the editor's language are English.
  const language = vscode.l10n.bundle === undefined ? "en" : vscode.env.language;
  const html = doctorPage(diagnosis, form, language);
  const options = { enableScripts: false, enableCommandUris: commandsOf(html), localResourceRoots: [] };
  if (open === undefined) {
    open = vscode.window.createWebviewPanel(KIND, t`Doctor`, vscode.ViewColumn.Active, {
      ...options,
      enableFindWidget: true,
    });
    open.onDidDispose(() => {
      open = undefined;
    });
  } else {
    open.webview.options = options;
    open.reveal();
  }
  open.webview.html = html;
}

/** Types a line into a terminal of its own, where the learner may press Enter. */
export function typeInTerminal(line: string): void {
  const terminal = vscode.window.createTerminal("Tutor");
  terminal.show();
  // A line end in it, or another key, would be pressed, too.
  terminal.sendText(line.replace(/\p{Cc}/gu, " "), false);
}

/** Opens a setting by its key, or all that begin so, where the server reads them. */
export async function openSetting(query: string): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  const command = `workbench.action.open${isRemote ? "RemoteSettings" : "Settings"}`;
  await vscode.commands.executeCommand(command, { query });
}
