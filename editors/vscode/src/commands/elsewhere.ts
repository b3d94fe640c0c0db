// Commands that change something, in a window where no exercise is open: the learner first confirms
// the exercise, which may be open in another window or was left days ago.
import * as vscode from "vscode";
import { perform } from "./actions";
import type { Context } from "../context";
import { type Here, here } from "./here";
import { meantRoot, named } from "../window/place";
import type { Which } from "../server/protocol";
import { t } from "../words/words";

const OPEN = t`Open It`;
const GO_ON = t`Continue Anyway`;

/**
 * Which session a command that changes something is about: the one that its argument names. If it
 * names none and none is open in this window, the learner is asked; undefined if they decline or
 * open the exercise instead.
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
  const question = t`Your exercise “${session.title}” is not open in this window.`;
  const detail = t`It is in ${session.workspace}. Open it, or continue without seeing its files.`;
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
