// The editor's own language model, asked by the server (`tutor/model`).
import * as vscode from "vscode";
import { chooseModel, type ModelRequest, questionOf, unfenced } from "./question";

/** How long the start waits (ms) to learn whether the editor has a model. */
const LOOK_MS = 1500;

/** Whether the editor has a model, as far as can be told in a moment. */
export async function hasModel(): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const found = vscode.lm.selectChatModels().then(
    (models) => models.length > 0,
    () => false,
  );
  const given = await Promise.race([
    found,
    new Promise<boolean>((resolve) => {
      late = setTimeout(() => {
        resolve(false);
      }, LOOK_MS);
    }),
  ]);
  clearTimeout(late);
  return given;
}

/** Answers the server's request. Rejects in words that it passes on to the learner. */
export async function answer(
  request: ModelRequest,
  wanted: string,
  token: vscode.CancellationToken,
): Promise<{ text: string }> {
  const model = chooseModel(await vscode.lm.selectChatModels(), wanted);
  if (model === undefined) {
    throw new Error("it has no language model at the moment");
  }
  const response = await model.sendRequest(
    [vscode.LanguageModelChatMessage.User(questionOf(request))],
    { justification: "The tutor asks it for exercises, hints and reviews." },
    token,
  );
  let text = "";
  for await (const part of response.text) {
    text += part;
  }
  return { text: unfenced(text) };
}
