// A window on a folder of its own, with a stand-in for the server.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { activated, type Extension } from "./activated";
import { FakeEditor } from "./fake";
import { StandIn } from "./standIn";

export class Window {
  readonly editor = new FakeEditor();
  readonly folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  readonly server: StandIn;
  private extension: Extension | undefined;

  /** `answers`: what the server says to commands. */
  constructor(answers: Record<string, unknown> = {}) {
    this.server = new StandIn(answers);
    this.editor.folders.push(this.folder);
    Object.assign(this.editor.settings, this.server.settings);
  }

  /** Writes a file of its folder, and returns its path. */
  write(file: string, text: string): string {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Makes a folder of it an exercise, by default its own. */
  exercise(folder = ""): void {
    this.write(join(folder, ".tutor", "exercise.json"), "{}");
  }

  /** The extension begins in it. */
  begin(): Extension {
    this.extension = activated(this.editor, this.folder);
    return this.extension;
  }

  /** The window is closed, and nothing of it left. */
  async end(): Promise<void> {
    await this.extension?.deactivate();
    this.server.remove();
    rmSync(this.folder, { recursive: true });
  }
}
