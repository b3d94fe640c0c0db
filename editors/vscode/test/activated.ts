// The bundled extension, run in a stand-in for the editor.
import { join } from "node:path";
import type { FakeEditor } from "./fake";
import { manifest } from "./manifest";
import type { Exports } from "./markdown";

const ROOT = join(__dirname, "..", "..");
export const PACKAGE = manifest() as { version: string };

export interface Extension {
  /** What it gave to the editor. */
  exported: Exports;
  deactivate: () => Promise<void>;
}

/** The extension, activated with its storage below `folder`. */
export function activated(editor: FakeEditor, folder: string): Extension {
  const { activate, deactivate } = editor.load(join(ROOT, "dist", "tutor.js")) as unknown as {
    activate: (context: object) => Exports;
    deactivate: () => Promise<void>;
  };
  return { exported: activate(editor.extension(PACKAGE, join(folder, "storage"))), deactivate };
}
