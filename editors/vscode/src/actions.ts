// One path for every server command, whether the palette, a lens, a link or a code action runs it:
// save, ask the server, show the answer.
import { join } from "node:path";
import * as vscode from "vscode";
import type { Context } from "./context";
import { doctorText, endText, hintText, REMEDY_TITLES, reportText } from "./messages";
import type {
  Command,
  Commands,
  HintReady,
  HintResult,
  Place,
  Started,
  Which,
} from "./protocol";
import { named, windowFolders } from "./place";
import { type AttemptOffer, attemptOffers, attemptText } from "./review";
import { showPage, showReport } from "./pages";
import { coachHas, showCoach, showComparison, showPlace, showQuoted } from "./show";
import { type Offer, tell } from "./ui";
import { openExercise } from "./windows";

/** Commands that look at the learner's text, which must be on the disk. */
const SEES_TEXT: ReadonlySet<string> = new Set<Command>([
  "tutor.check",
  "tutor.attempt",
  "tutor.hint",
  "tutor.ask",
  "tutor.next",
  "tutor.compare",
]);

/** What is said in the status bar while a command has not been answered. */
const MEANWHILE: Partial<Record<string, string>> = {
  "tutor.start": "Looking for your exercise …",
  "tutor.check": "Running the tests …",
  "tutor.attempt": "Running all tests …",
  "tutor.hint": "Looking at your code …",
  "tutor.doctor": "Looking at what is installed …",
  "tutor.report": "Writing the report …",
};

type Show<C extends Command> = (
  context: Context,
  result: Commands[C]["result"],
  argument: Commands[C]["argument"],
) => Promise<void> | void;

const SHOW: { [C in Command]?: Show<C> } = {
  "tutor.start": begun,
  "tutor.next": (context, started, argument) => {
    vscode.window.setStatusBarMessage(`Tutor: ${started.ended}`, 8000);
    begun(context, started, argument);
  },
  "tutor.resume": async (context, ready) => {
    await openExercise(context, ready, false);
    context.refreshQuietly();
  },
  "tutor.open": async (context, place, argument) => {
    const root = await context.root(argument);
    if (root !== undefined && !context.takeShown()) {
      await showPlace(context.reading, join(root, place.file), place.line);
    }
  },
  "tutor.check": (_context, report) => {
    if (report.outcome === "passed" || report.outcome === "failed") {
      // The stubs show the rest; a pop-up would be in the way.
      const said = [reportText(report), report.note ?? ""].join(" ").trim();
      vscode.window.setStatusBarMessage(`Tutor: ${said}`, 6000);
    } else if (report.outcome !== "cancelled") {
      tell(reportText(report));
    }
  },
  "tutor.attempt": async (context, result, argument) => {
    if (result.report.outcome === "cancelled") {
      vscode.window.setStatusBarMessage("Tutor: stopped", 4000);
      return;
    }
    await context.refresh();
    const offers = attemptOffers(result).map((offer) => offerOf(offer, named(argument)));
    context.offer(attemptText(result), offers);
    if (result.review !== null) {
      await showCoach(context.reading, await context.root(argument));
    }
  },
  "tutor.hint": showHint,
  "tutor.ask": showHint,
  "tutor.review": async (context, review, argument) => {
    if (review === null) {
      const run = (): unknown =>
        vscode.commands.executeCommand("tutorLsp.attempt", named(argument));
      const text = "There is no review yet. Attempt the exercise to get one.";
      context.offer(text, [{ title: "Attempt", run }]);
    } else if (!(await showCoach(context.reading, await context.root(argument)))) {
      tell(review.summary);
    }
  },
  "tutor.reveal": async (context, { solution }, argument) => {
    if (!(await showCoach(context.reading, await context.root(argument)))) {
      tell(solution);
    }
  },
  "tutor.reset": putBack,
  "tutor.restore": putBack,
  "tutor.claim": (context) => context.refresh(),
  "tutor.compare": (_context, comparison) => showComparison(comparison),
  "tutor.end": async (context, { summary, recommendations }) => {
    await context.refresh();
    const next = recommendations[0];
    const offers = next
      ? [
          {
            title: `Start: ${next.title}`,
            run: () => vscode.commands.executeCommand("tutorLsp.start", { node: next.node }),
          },
        ]
      : [];
    context.offer(endText(summary, next), offers);
  },
  "tutor.cancel": (_context, { cancelled }) => {
    vscode.window.setStatusBarMessage(
      cancelled ? "Tutor: stopped" : "Tutor: nothing is running",
      4000,
    );
  },
  "tutor.report": (_context, { path }) => showReport(path),
  "tutor.doctor": async (_context, answer) => {
    await showPage("Doctor", `${doctorText(answer)}\n`);
  },
};

/** A button of an attempt's message: about that exercise, whichever is in front by then. */
function offerOf(offer: AttemptOffer, which: Which | undefined): Offer {
  const run = (id: string, argument: object = {}) => () =>
    vscode.commands.executeCommand(id, { ...argument, ...which });
  switch (offer.then) {
    case "next":
    case "hint":
      return { title: offer.title, run: run(`tutorLsp.${offer.then}`) };
    case "improve":
      return { title: offer.title, run: run("tutorLsp.place", offer.at) };
    case "stub":
      return { title: offer.title, run: run("tutorLsp.openStub", { unit: offer.unit }) };
  }
}

async function showHint(
  context: Context,
  hint: HintResult,
  argument: Which & { question?: string },
): Promise<void> {
  const { question } = argument;
  const root = await context.root(argument);
  // What nobody could answer is not kept among the hints.
  if (hint.reason === "NO_MODEL") {
    offerModel(context, hint.text);
  } else if (hint.reason === "NO_ANSWER") {
    tell(hint.text);
  } else if (question !== undefined && !(await coachHas(root, hint.text))) {
    tell(hint.text);
  } else if (await showCoach(context.reading, root)) {
    vscode.window.setStatusBarMessage(`Tutor: ${hintText(hint)}`, 6000);
  } else {
    tell(`${hintText(hint)} ${hint.text}`);
  }
}

/** Says that a model is missing, and leads to what is there and to where one is chosen. */
export function offerModel(context: Context, text: string): void {
  const open = (id: string, argument?: string) => () =>
    vscode.commands.executeCommand(id, argument);
  context.offer(text, [
    { title: REMEDY_TITLES.doctor, run: open("tutorLsp.doctor") },
    { title: REMEDY_TITLES.settings, run: open("workbench.action.openSettings", "tutor.backend") },
  ]);
}

/** The first hint can be read while a model is asked for a better one, which takes its place. */
export async function onHint(context: Context, { sessionId, final }: HintReady): Promise<void> {
  const { info } = context.state;
  if (!final && info?.id === sessionId) {
    await showCoach(context.reading, info.workspace);
  }
}

/** Goes to lines that a review is about, in the exercise that is named with them. */
export async function goTo(context: Context, place: Place & Which): Promise<void> {
  const root = await context.root(named(place) ?? context.which());
  if (root !== undefined) {
    await showQuoted(join(root, place.file), place);
  }
}

async function putBack(
  context: Context,
  { files, undone }: { files: string[]; undone?: boolean },
  argument: object,
): Promise<void> {
  // What was put back in an open editor is not on the disk yet, where the tests look.
  await context.save(await context.root(argument));
  const how = undone === true ? "as you had written it" : "as given";
  const what = files.length === 0 ? "nothing had changed" : `${files.join(", ")} ${how}`;
  vscode.window.setStatusBarMessage(`Tutor: ${what}`, 6000);
}

function begun(context: Context, started: Started, asked: object): void {
  if (started.jobId === null) {
    return;
  }
  const start = context.starts.begun(asked, started);
  if (context.starts.isOver(started.jobId)) {
    return;
  }
  context.working("Getting your exercise ready");
  if (start !== undefined) {
    context.storage.keepPending(started.jobId, {
      argument: start.argument,
      at: start.at,
      folder: windowFolders()[0] ?? "",
      pid: process.pid,
      tries: start.tries,
    });
  }
}

function knows(command: string): command is keyof typeof SHOW {
  return command in SHOW;
}

/**
 * Runs a server command and shows what comes of it; `token` gives it up. Rejects with the server's
 * refusal.
 */
export async function perform<C extends Command>(
  context: Context,
  command: C,
  argument: Commands[C]["argument"],
  token?: vscode.CancellationToken,
): Promise<Commands[C]["result"]> {
  const answer = ask(context, command, argument, token);
  const meanwhile = MEANWHILE[command];
  if (meanwhile !== undefined) {
    vscode.window.setStatusBarMessage(`$(sync~spin) Tutor: ${meanwhile}`, settled(answer));
  }
  const result = await answer;
  const show: Show<C> | undefined = SHOW[command];
  await show?.(context, result, argument);
  return result;
}

async function ask<C extends Command>(
  context: Context,
  command: C,
  argument: Commands[C]["argument"],
  token: vscode.CancellationToken | undefined,
): Promise<Commands[C]["result"]> {
  if (SEES_TEXT.has(command)) {
    await context.save(named(argument) && (await context.root(argument)));
  }
  if (command === "tutor.start" || command === "tutor.next") {
    context.starts.ask(argument, command === "tutor.next");
  }
  context.takeShown();
  return context.request(command, argument, token);
}

/** Runs a command that arrived by its server name, as lenses and code actions send it. */
export function performNamed(
  context: Context,
  command: string,
  argument: object,
  next: () => unknown,
): unknown {
  return knows(command) ? perform(context, command, argument as never) : next();
}

function settled(work: Promise<unknown>): Promise<void> {
  const nothing = (): void => undefined;
  return work.then(nothing, nothing);
}
