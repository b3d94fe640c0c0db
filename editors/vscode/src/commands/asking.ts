// A question in the learner's own words, from the palette or a code action.
import { offerModel, perform } from "./actions";
import type { Context } from "../context";
import { NO_MODEL } from "../words/messages";
import { named } from "../window/place";
import type { Hinted, Which } from "../server/protocol";
import { readText } from "../words/ui";
import { t } from "../words/words";

/** Longest question the server takes, in characters. */
const QUESTION_LENGTH = 2000;

/** What was asked and not answered, to be there when the learner asks again. */
let unanswered = "";

/** Asks about an exercise's code, if somebody is there to answer. Rejects as `perform` does. */
export async function askAbout(context: Context, which: Which & { unit?: string }): Promise<void> {
  if (!(await canAsk(context, which))) {
    return;
  }
  const asked = await readText(QUESTION_LENGTH, {
    title: t`What would you like to know?`,
    prompt: t`The tutor sees your code, the tests and the lesson`,
    placeHolder: t`Why does the second test fail?`,
    value: unanswered,
  });
  if (asked === undefined) {
    return;
  }
  unanswered = "";
  try {
    const { reason }: Hinted = await perform(context, "tutor.hint", { ...which, question: asked });
    unanswered = reason === "NO_MODEL" || reason === "NO_ANSWER" ? asked : unanswered;
  } catch (error) {
    unanswered = asked;
    throw error;
  }
}

/** Whether a question would be answered; where it would not that is said, before anybody writes it. */
async function canAsk(context: Context, which: Which): Promise<boolean> {
  const { backend } = await context.request("tutor.status", named(which) ?? {});
  if (!backend.answersQuestions) {
    offerModel(context, NO_MODEL);
  }
  return backend.answersQuestions;
}
