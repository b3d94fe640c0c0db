// Lists, questions and messages of the editor.
import * as vscode from "vscode";
import type { MessageType } from "vscode-languageclient/node";
import { inPalette } from "./commandNames";
import { isCalm, type Problem, type Remedy, REMEDY_TITLES } from "./messages";
import type { Row } from "./pickers";
import type { Body } from "./progress";

/** What each button under a message runs. */
const REMEDY_COMMANDS: Record<Remedy, [string, ...unknown[]]> = {
  start: ["tutorLsp.start"],
  retry: ["tutorLsp.start", "again"],
  doctor: ["tutorLsp.doctor"],
  log: ["tutorLsp.showLog"],
  settings: ["workbench.action.openSettings", "tutor.server"],
  trust: ["workbench.trust.manage"],
  restart: ["tutorLsp.restart"],
  install: ["tutorLsp.setUp"],
};

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
  void vscode.window.showInformationMessage(inPalette(text));
}

/** As `tell`, with buttons; settles when what is behind the chosen one has. See Context.offer. */
export async function offer(text: string, offers: readonly Offer[]): Promise<void> {
  const titles = offers.map(({ title }) => title);
  const chosen = await vscode.window.showInformationMessage(inPalette(text), ...titles);
  await offers.find(({ title }) => title === chosen)?.run();
}

/** A message of the server, with its choices. */
export async function sayAs<T extends vscode.MessageItem>(
  type: MessageType,
  text: string,
  choices: readonly T[] = [],
): Promise<T | undefined> {
  const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
  const say = { 1: showErrorMessage, 2: showWarningMessage };
  return (type === 1 || type === 2 ? say[type] : showInformationMessage)(inPalette(text), ...choices);
}

export async function offerRemedies(problem: Problem): Promise<void> {
  const titles = problem.remedies.map((remedy) => REMEDY_TITLES[remedy]);
  const message = inPalette(problem.message);
  const chosen = await (isCalm(problem)
    ? vscode.window.showInformationMessage(message, ...titles)
    : vscode.window.showErrorMessage(message, ...titles));
  const remedy = problem.remedies.find((candidate) => REMEDY_TITLES[candidate] === chosen);
  if (remedy !== undefined) {
    await vscode.commands.executeCommand(...REMEDY_COMMANDS[remedy]);
  }
}

/** A notification with percentage and Cancel, for as long as `body` is not done. */
export function showProgress(title: string, body: Body): void {
  void vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (report, cancellation) => {
      cancellation.onCancellationRequested(() => {
        body.cancelled();
      });
      body.attach((step) => {
        report.report(step);
      });
      return body.done;
    },
  );
}

/** A question that must be answered; true if the learner chose `yes`. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  const more = { modal: true, detail: inPalette(detail).replaceAll("`", "") };
  const chosen = await vscode.window.showWarningMessage(question, more, yes);
  return chosen === yes;
}
