// A question in the learner's own words, from the palette or a code action.
import * as vscode from "vscode";
import { offerModel, perform } from "./actions";
import type { Context } from "./context";
import { NO_MODEL } from "./messages";
import { named } from "./place";
import type { Which } from "./protocol";

/** Longest question the server takes, in characters. */
const QUESTION_LENGTH = 2000;

/** What was asked and not answered, to be there when the learner asks again. */
let unanswered = "";

/** Asks about an exercise's code, if somebody is there to answer. Rejects as `perform` does. */
export async function askAbout(context: Context, which: Which & { unit?: string }): Promise<void> {
  if (!(await canAsk(context, which))) {
    return;
  }
  const question = await vscode.window.showInputBox({
    title: "What would you like to know?",
    prompt: "The tutor sees your code, the tests and the lesson",
    placeHolder: "Why does the second test fail?",
    value: unanswered,
    // A result or a lesson that turns must not take a half-written question away.
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim().length > QUESTION_LENGTH
        ? `At most ${QUESTION_LENGTH} characters, please.`
        : undefined,
  });
  if (question === undefined || question.trim() === "") {
    return;
  }
  unanswered = "";
  const asked = question.trim();
  try {
    const { reason } = await perform(context, "tutor.hint", { ...which, question: asked });
    unanswered = reason === "NO_MODEL" || reason === "NO_ANSWER" ? asked : unanswered;
  } catch (error) {
    unanswered = asked;
    throw error;
  }
}

/** Whether a question would be answered; where it would not that is said, before anybody writes it. */
async function canAsk(context: Context, which: Which): Promise<boolean> {
  const { backend } = await context.request("tutor.status", named(which) ?? {});
  const can = backend?.answersQuestions !== false;
  if (!can) {
    offerModel(context, NO_MODEL);
  }
  return can;
}
