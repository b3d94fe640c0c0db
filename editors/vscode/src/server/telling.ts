// What the server is told of the editor: the settings that somebody set, and whether it has a model.
import * as vscode from "vscode";
import { FolderChoice } from "./folderChoice";
import { hasModel } from "./model";
import { MODEL_CHANGED } from "./protocol";
import type { Server } from "./server";
import { explicitSettings } from "./settings";
import type { Storage } from "../window/storage";

interface Around {
  readonly log: Pick<vscode.LogOutputChannel, "info">;
  /** Whom it is told. */
  readonly life: Pick<Server, "settled" | "isRunning" | "client">;
  /** Something went wrong that nobody waits for. */
  report(error: unknown): unknown;
  /** The server has been told of a model that it did not know of. */
  modelTold(): void;
}

export class Telling {
  private readonly folder: FolderChoice;
  /** Whether the server knows that the editor has a model. */
  private offeredModel = false;

  constructor(
    private readonly settingKeys: readonly string[],
    storage: Storage,
    private readonly around: Around,
  ) {
    this.folder = new FolderChoice(storage, () => this.sendSettings());
  }

  /** The server's settings that somebody set, without the section's name. */
  settings(): Record<string, unknown> {
    const all = vscode.workspace.getConfiguration("tutor");
    return explicitSettings(this.settingKeys, (key) => all.inspect(key), this.folder.counts());
  }

  /** Tells the server that settings have changed, if there is one. */
  async sendSettings(): Promise<void> {
    const { life } = this.around;
    // One that is still starting was told what held a moment ago.
    await life.settled();
    if (life.isRunning) {
      const settings = { tutor: this.settings() };
      await life.client?.sendNotification("workspace/didChangeConfiguration", { settings });
      this.askAboutFolder();
    }
  }

  /** Asks whether a model counts that only the window's folder has chosen. */
  askAboutFolder(): void {
    this.folder.ask().catch((error: unknown) => this.around.report(error));
  }

  /** Whether a server that is about to start may be told of a model. */
  looksForModel(): Promise<boolean> {
    const wanted = this.settings().backend === "editor";
    return hasModel(wanted, () => {
      return this.modelsChanged().catch((error: unknown) => this.around.report(error));
    });
  }

  /** Remembers what a new server is told from the start. */
  startsWith(model: boolean): void {
    this.offeredModel = model;
  }

  /** Tells the server that the editor has a model, unless it knows. */
  async modelsChanged(): Promise<void> {
    const { life, log } = this.around;
    const found = !this.offeredModel && (await hasModel());
    // One that is still starting was told what held a moment ago.
    await life.settled();
    if (found && life.isRunning && !this.offeredModel) {
      log.info("The editor offers a language model now");
      this.offeredModel = true;
      await life.client?.sendNotification(MODEL_CHANGED, { available: true });
      this.around.modelTold();
    }
  }
}
