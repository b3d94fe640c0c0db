// A folder's own settings may say which model makes exercises and hints. That costs the learner's
// money and sends the learner's text, so it counts only after it was agreed to.
import * as vscode from "vscode";
import { type Choice, choiceText, chosenByFolder } from "./settings";
import type { Storage } from "../window/storage";
import { t } from "../words/words";

export class FolderChoice {
  /** What has been asked about in this window. */
  private asked = "";

  constructor(
    private readonly storage: Storage,
    private readonly agreed: () => unknown,
  ) {}

  /** Whether what this window's folder says of models may be told to the server. */
  counts(): boolean {
    const choice = this.now();
    return choice === undefined || this.storage.noted(this.key(choice));
  }

  /** Asks, once a window, where the folder says something that was not agreed to. */
  async ask(): Promise<void> {
    const choice = this.now();
    if (choice === undefined || this.counts() || this.asked === this.key(choice)) {
      return;
    }
    const refused = `not ${this.key(choice)}`;
    if (this.storage.noted(refused)) {
      return;
    }
    this.asked = this.key(choice);
    const chosen = await vscode.window.showInformationMessage(
      choiceText(choice),
      t`Use It`,
      t`Keep My Own`,
    );
    if (chosen === t`Use It`) {
      this.storage.note(this.key(choice), true);
      await this.agreed();
    } else if (chosen === t`Keep My Own`) {
      this.storage.note(refused, true);
    }
  }

  private now(): Choice | undefined {
    const all = vscode.workspace.getConfiguration("tutor");
    return chosenByFolder((key) => all.inspect(key));
  }

  private key(choice: Choice): string {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    const folder = workspaceFile ?? workspaceFolders[0]?.uri;
    return `model ${String(folder)} ${JSON.stringify(choice)}`;
  }
}
