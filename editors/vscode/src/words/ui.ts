// Lists, questions and messages of the editor.
import * as vscode from "vscode";
import { isCalm, type Problem, REMEDIES } from "./messages";
import type { Notification } from "../server/progress";
import type { Row } from "../exercises/rows";
import { t } from "./words";

interface Item<T> extends vscode.QuickPickItem {
  then?: T;
}

function toItem<T>(row: Row<T>): Item<T> {
  if (row.heading) {
    return { label: row.label, kind: vscode.QuickPickItemKind.Separator };
  }
  return row;
}

/** Lets the learner choose a row; opens at once and fills when the rows are there. */
export async function pick<T>(
  rows: Row<T>[] | Promise<Row<T>[]>,
  title: string,
): Promise<T | undefined> {
  const items = Promise.resolve(rows).then((all) => all.map(toItem));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.then;
}

export interface Offer {
  title: string;
  run(): unknown;
}

/** Says something without waiting for an answer. */
export function tell(text: string): void {
  void vscode.window.showInformationMessage(text);
}

/** As `tell`, with buttons; settles when what is behind the chosen one has. See Context.offer. */
export async function offer(text: string, offers: readonly Offer[]): Promise<void> {
  const titles = offers.map(({ title }) => title);
  const chosen = await vscode.window.showInformationMessage(text, ...titles);
  await offers.find(({ title }) => title === chosen)?.run();
}

export async function offerRemedies(problem: Problem): Promise<void> {
  const remedies = problem.remedies.map((remedy) => REMEDIES[remedy]);
  const titles = remedies.map(([title]) => title);
  const chosen = await (isCalm(problem)
    ? vscode.window.showInformationMessage(problem.message, ...titles)
    : vscode.window.showErrorMessage(problem.message, ...titles));
  const [, command, ...argument] = remedies.find(([title]) => title === chosen) ?? [];
  if (command !== undefined) {
    await vscode.commands.executeCommand(command, ...argument);
  }
}

/** Shows a notification with percentage and Cancel until it is closed. */
export function showProgress(title: string, cancel: () => void): Notification {
  let reporter: vscode.Progress<object> | undefined;
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  void vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      token.onCancellationRequested(cancel);
      reporter = progress;
      return closed;
    },
  );
  return { report: (step) => reporter?.report(step), close };
}

/** A question that must be answered; true if the learner chose `yes`. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  const more = { modal: true, detail: detail.replaceAll("`", "") };
  const chosen = await vscode.window.showWarningMessage(question, more, yes);
  return chosen === yes;
}

/** At most `most` characters of text from the learner, who may have begun it; undefined for none. */
export async function readText(
  most: number,
  options: vscode.InputBoxOptions,
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    ...options,
    // Something else that gets the keys must not take a half-written text away.
    ignoreFocusOut: true,
    validateInput: (given) =>
      given.trim().length > most ? t`At most ${most} characters, please.` : undefined,
  });
  return text?.trim() === "" ? undefined : text?.trim();
}
