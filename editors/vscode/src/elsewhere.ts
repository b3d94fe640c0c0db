// Commands that change something, in a window where no exercise is open: the one that is meant is
// named first, since it may be open in another window, or was left days ago.
import * as vscode from "vscode";
import { perform } from "./actions";
import type { Context } from "./context";
import { type Here, here } from "./here";
import { meantRoot, named } from "./place";
import type { Which } from "./protocol";

const OPEN = "Open It";
const GO_ON = "Go On Anyway";

/**
 * Which session a command is about that changes something: the one that its argument names. Where
 * it names none and none is open in this window the learner is asked; undefined if they would
 * rather not, or have it opened instead.
 */
export async function confirmedWhich(context: Context, argument?: unknown): Promise<Which | undefined> {
  const which = named(argument) ?? context.which();
  if (named(argument) !== undefined || meantRoot() !== undefined) {
    return which;
  }
  const { session } = await context.request("tutor.status", which);
  if (session === null || !("id" in session)) {
    // The server says what to do.
    return which;
  }
  const question = `Your exercise “${session.title}” is not open in this window.`;
  const detail = `It is in ${session.workspace}. Open it, or go on without seeing its files.`;
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(question, options, OPEN, GO_ON);
  if (chosen === OPEN) {
    await perform(context, "tutor.resume", { session: session.id });
  }
  return chosen === GO_ON ? { session: session.id } : undefined;
}

/** As `confirmedWhich`, with the cursor where the exercise is open. */
export async function confirmedHere(context: Context, argument?: unknown): Promise<Here | undefined> {
  const which = await confirmedWhich(context, argument);
  return which && here(which);
}
