// The editor's own language model, asked by the server (`tutor/model`).
import * as vscode from "vscode";
import { chooseModel, type ModelRequest, questionOf, unfenced } from "./question";
import { t } from "../words/words";

/** How long the start waits (ms) to learn whether the editor has a model. */
const LOOK_MS = 1500;
/** The same where the settings name the editor's model: it may be registered after us. */
const WANTED_MS = 10_000;

/**
 * Whether the editor has a model, as far as can be told in a moment; `wanted`: worth a longer wait.
 * `onLate` is called where one turns out to be there after that.
 */
export function hasModel(wanted = false, onLate?: () => unknown): Promise<boolean> {
  return new Promise((resolve) => {
    let open = true;
    const answer = (found: boolean): void => {
      open = false;
      clearTimeout(late);
      changed.dispose();
      resolve(found);
    };
    const look = (): void => {
      vscode.lm.selectChatModels().then(
        ({ length }) => {
          if (open && (length > 0 || !wanted)) {
            answer(length > 0);
          } else if (!open && length > 0) {
            onLate?.();
          }
        },
        () => {
          answer(false);
        },
      );
    };
    const changed = vscode.lm.onDidChangeChatModels(look);
    const late = setTimeout(answer, wanted ? WANTED_MS : LOOK_MS, false);
    look();
  });
}

/** Answers the server's request. Rejects in words that it passes on to the learner. */
export async function answer(
  request: ModelRequest,
  wanted: string,
  token: vscode.CancellationToken,
): Promise<{ text: string }> {
  const model = chooseModel(await vscode.lm.selectChatModels(), wanted);
  const response = await model.sendRequest(
    [vscode.LanguageModelChatMessage.User(questionOf(request))],
    { justification: t`The tutor asks it for exercises, hints and reviews.` },
    token,
  );
  let text = "";
  for await (const part of response.text) {
    text += part;
  }
  return { text: unfenced(text) };
}
