// The editor's own language model, asked by the server (`tutor/model`).
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient/node";
import { chooseModel, type ModelRequest, questionOf, unfenced } from "./question";

/** How long the start waits (ms) to learn whether the editor has a model. */
const LOOK_MS = 1500;
const REFUSED = -32000;

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
    throw new ResponseError(REFUSED, "it has no language model at the moment");
  }
  try {
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
  } catch (error) {
    throw new ResponseError(REFUSED, error instanceof Error ? error.message : String(error));
  }
}
