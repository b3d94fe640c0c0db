// What the editor loads first. It waits for that, and for what `activate` does at once, in a row with
// other extensions; everything else is loaded right after.
import type { ExtensionContext } from "vscode";
import type * as Main from "./main";

let main: Promise<typeof Main> | undefined;

export async function activate(extension: ExtensionContext): Promise<Main.Exports> {
  main = import("./main.js");
  const { activate: begin } = await main;
  return begin(extension);
}

export async function deactivate(): Promise<void> {
  await (await main)?.deactivate();
}
