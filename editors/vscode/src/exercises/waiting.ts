// What waits where no exercise is open, as far as it is known: kept, and offered in the status bar.
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { BarState } from "../words/messages";
import { isHome } from "../window/paths";
import { meantRoot, windowFolders } from "../window/place";
import type { StatusBar } from "../views/statusBar";
import type { Storage } from "../window/storage";
import { keepOnward, keptOnward, type Onward } from "./onward";

export class Waiting {
  private present: Onward;

  constructor(
    private readonly storage: Storage,
    private readonly bar: Pick<StatusBar, "show">,
  ) {
    this.present = keptOnward(storage);
    this.bar.show({ onward: this.label() });
  }

  get known(): Onward {
    return this.present;
  }

  /** Takes over what the server said of it. */
  note(onward: Onward): void {
    if (!isDeepStrictEqual(onward, this.present)) {
      this.present = onward;
      keepOnward(this.storage, onward);
    }
    this.bar.show({ onward: this.label() });
  }

  /** What the status bar offers to continue; undefined in a window on something else. */
  private label(): BarState["onward"] {
    const folders = windowFolders();
    const isHomes = folders.every((folder) => isHome(folder, existsSync));
    // Where nothing may run yet, nothing can be gone on with.
    const waits = vscode.workspace.isTrusted && isHomes;
    const { resume } = this.present;
    return waits && meantRoot() === undefined ? (resume ?? "start") : undefined;
  }
}
