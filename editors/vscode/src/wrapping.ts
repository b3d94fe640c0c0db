// Beside its lesson an exercise has room for some fifty columns: long lines are wrapped there.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the editor reads settings that hold in one folder. */
const SETTINGS = join(".vscode", "settings.json");

/**
 * Lets the editor wrap long lines in the exercise at `root`, unless its folder has settings of its
 * own already. Throws where the file cannot be written.
 */
export function wrapLines(root: string): void {
  const file = join(root, SETTINGS);
  if (!existsSync(file)) {
    mkdirSync(join(root, ".vscode"), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ "editor.wordWrap": "on" }, undefined, 2)}\n`);
  }
}
