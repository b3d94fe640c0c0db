// Beside its lesson an exercise has room for some fifty columns: long lines are wrapped there.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the editor reads settings that hold in one folder. */
const SETTINGS = join(".vscode", "settings.json");

/**
 * Lets the editor wrap long lines in the exercise at `root`, unless its folder has settings of its
 * own already. Throws where the file cannot be written.
 */
export function wrapLines(root: string): void {
  const text = `${JSON.stringify({ "editor.wordWrap": "on" }, undefined, 2)}\n`;
  mkdirSync(join(root, ".vscode"), { recursive: true });
  try {
    writeFileSync(join(root, SETTINGS), text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
}
