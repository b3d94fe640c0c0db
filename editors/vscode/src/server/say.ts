// Where the server's words for a result are shown.
import * as vscode from "vscode";
import type { Context } from "../context";
import { showPage } from "../reading/pages";
import type { Say } from "./protocol";
import type { Offer } from "../words/ui";
import { t } from "../words/words";

/** How long (ms) a line stays in the status bar. */
const STAYS_MS = 8000;

/** In the status bar, for what is shown elsewhere as a whole. */
export function quietly(say: Say): void {
  vscode.window.setStatusBarMessage(`Tutor: ${say.oneLine}`, STAYS_MS);
}

/** In a message, with buttons; what is more than its one line is behind the last of them. */
export function aloud(context: Context, say: Say, offers: readonly Offer[] = []): void {
  const whole = { title: t`Details`, run: () => showPage(say) };
  context.offer(say.oneLine, hasMore(say) ? [...offers, whole] : offers);
}

function hasMore({ markdown, oneLine }: Say): boolean {
  const body = markdown.replace(/^# .*\n*/, "");
  return body.trim() !== oneLine;
}
