// Finding the server, and making a private one where there is none.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { findServer, type Origin } from "./discovery";
import { makeEnvironment, privateServer, privateVersion, wheelIn } from "./environment";
import { missingServer, otherVersion, TutorProblem } from "./messages";
import { windowFolders } from "./place";
import type { Storage } from "./storage";

/** What is known of the extension itself. */
export interface Installed {
  version: string;
  /** Folder of the extension. */
  folder: string;
  /** Folder of its own on this machine. */
  storage: string;
}

export interface Found {
  file: string;
  origin: Origin | "private";
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export class Installation {
  private making: Promise<string> | undefined;

  constructor(
    private readonly own: Installed,
    private readonly storage: Storage,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  private get folder(): string {
    return join(this.own.storage, "server");
  }

  /** The server, without asking anybody; undefined where there is none. */
  look(): Found | undefined {
    const search = this.search();
    if (search.found) {
      return search;
    }
    const file = search.setting === "" ? privateServer(this.folder) : undefined;
    return file === undefined ? undefined : { file, origin: "private" };
  }

  /** Whether there is a server that can be started as it is. */
  isReady(): boolean {
    const found = this.look();
    return found !== undefined && !this.isOutdated(found);
  }

  /** Of the private server alone. The setting may name it, too: "Use Its Own Server" does that. */
  private isOutdated({ file }: Found): boolean {
    return file === privateServer(this.folder) && privateVersion(this.folder) !== this.own.version;
  }

  /**
   * The server. Where there is none: offers to set it up if the learner `asked` for something, else
   * throws a TutorProblem with that remedy.
   */
  async find(asked: boolean): Promise<Found> {
    const found = this.look();
    if (found !== undefined) {
      return this.isOutdated(found) ? { file: await this.make(), origin: "private" } : found;
    }
    const search = this.search();
    if (search.found) {
      return search;
    }
    this.log.error(`Looked for the server at: ${search.tried.join(", ")}`);
    const problem = missingServer(search, this.wheel() !== undefined);
    if (search.setting !== "" || !asked || this.wheel() === undefined) {
      throw problem;
    }
    const detail =
      "It goes into a private environment of this extension and changes nothing else on your " +
      "machine. It needs Python 3.11 or later; the packages it uses come from the package index " +
      "that your pip is configured for.";
    const chosen = await vscode.window.showInformationMessage(
      "The tutor's server is not installed yet. Set it up now?",
      { modal: true, detail },
      "Set It Up",
    );
    if (chosen !== "Set It Up") {
      throw problem;
    }
    return { file: await this.make(), origin: "private" };
  }

  /** Makes the private environment, with progress and Cancel; at most one at a time. */
  make(): Promise<string> {
    this.making ??= this.withProgress().finally(() => {
      this.making = undefined;
    });
    return this.making;
  }

  /** Says once for each pair of versions that the server is another than the extension's. */
  async compare(found: Found, version: string | undefined): Promise<void> {
    const [server, own] = [version ?? "unknown", this.own.version];
    const key = `version ${found.file} ${server} ${own}`;
    if (minor(server) === minor(own) || this.storage.noted(key)) {
      return;
    }
    this.log.warn(`The server is ${server}, the extension is ${own}`);
    this.storage.note(key, true);
    const { message, button } = otherVersion(found.file, server, own, this.wheel() !== undefined);
    const chosen = await vscode.window.showWarningMessage(message, ...button);
    if (chosen !== undefined) {
      const file = await this.make();
      await vscode.workspace
        .getConfiguration("tutor.server")
        .update("command", file, vscode.ConfigurationTarget.Global);
    }
  }

  private wheel(): string | undefined {
    return wheelIn(join(this.own.folder, "dist"));
  }

  private search(): ReturnType<typeof findServer> {
    return findServer(
      {
        setting: vscode.workspace.getConfiguration("tutor.server").get("command", ""),
        folders: windowFolders(),
        pathVariable: process.env.PATH ?? "",
        home: homedir(),
      },
      isExecutable,
    );
  }

  private async withProgress(): Promise<string> {
    const wheel = this.wheel();
    if (wheel === undefined) {
      throw new TutorProblem("NO_WHEEL", "This build of the extension brings no server along.", [
        "settings",
      ]);
    }
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: "Setting up the tutor's server",
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const aborting = new AbortController();
      token.onCancellationRequested(() => {
        aborting.abort();
      });
      let reached = 0;
      return makeEnvironment(this.folder, wheel, this.own.version, {
        log: (line) => {
          this.log.info(line);
        },
        step: (message, percent) => {
          progress.report({ message, increment: percent - reached });
          reached = percent;
        },
        signal: aborting.signal,
      });
    });
  }
}

/** Versions that differ in the last place only speak the same protocol. */
function minor(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
