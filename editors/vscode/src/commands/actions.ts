// The one path for every server command, whether run by the palette, a lens, a link or a code action:
// save, ask the server, show the answer.
import { join } from "node:path";
import * as vscode from "vscode";
import type { Context } from "../context";
import { showDoctor } from "../doctor/panel";
import { REMEDIES } from "../words/messages";
import type {
  AskArguments,
  Command,
  Interface,
  HintArguments,
  HintReady,
  Hinted,
  Place,
  Said,
  Say,
  Started,
  Which,
} from "../server/protocol";
import { named, windowFolders } from "../window/place";
import { attemptOffers } from "../exercises/review";
import { showReport } from "../reading/pages";
import { aloud, quietly } from "../server/say";
import { coachHas, showCoach, showComparison, showPlace, showQuoted, showStub } from "../exercises/show";
import { focusUnit } from "../exercises/units";
import { COACH } from "../window/paths";
import { openExercise } from "../window/windows";
import { t } from "../words/words";

/** Commands that read the learner's text, which must be on disk. */
const SEES_TEXT: ReadonlySet<string> = new Set<Command>([
  "tutor.check",
  "tutor.attempt",
  "tutor.hint",
  "tutor.ask",
  "tutor.next",
  "tutor.compare",
]);

/** Shown in the status bar until a command has been answered. */
const MEANWHILE: Partial<Record<string, string>> = {
  "tutor.start": t`Looking for your exercise …`,
  "tutor.check": t`Running the tests …`,
  "tutor.attempt": t`Running all tests …`,
  "tutor.hint": t`Looking at your code …`,
  "tutor.doctor": t`Checking the tools …`,
  "tutor.report": t`Writing the report …`,
};

type Show<C extends Command> = (
  context: Context,
  result: Interface[C]["result"],
  argument: Interface[C]["argument"],
) => Promise<void> | void;

const SHOW: { [C in Command]?: Show<C> } = {
  "tutor.start": begun,
  "tutor.next": (context, started, argument) => {
    quietly(started.say);
    begun(context, started, argument);
  },
  "tutor.resume": async (context, ready) => {
    await openExercise(context, ready, false);
    quietly(ready.say);
    context.refreshQuietly();
  },
  "tutor.open": async (context, place, argument) => {
    const root = await context.root(argument);
    if (root !== undefined && !context.takeShown()) {
      await showPlace(context, join(root, place.file), place.line);
    }
  },
  "tutor.check": (context, { outcome, say }) => {
    // The stubs show the rest; a pop-up would be in the way.
    const isPlain = ["passed", "failed", "cancelled"].includes(outcome);
    if (isPlain) {
      quietly(say);
    } else {
      aloud(context, say);
    }
  },
  "tutor.attempt": async (context, result, argument) => {
    if (result.report.outcome === "cancelled") {
      quietly(result.say);
      return;
    }
    await context.refresh();
    // About that exercise, whichever is in front by the time of a click.
    const which = named(argument);
    const offers = attemptOffers(result).map(({ title, id, argument: more }) => {
      return { title, run: () => vscode.commands.executeCommand(id, { ...more, ...which }) };
    });
    aloud(context, result.say, offers);
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
      const text = t`There is no review yet. Attempt the exercise to get one.`;
      context.offer(text, [{ title: t`Attempt`, run }]);
    } else {
      await inCoach(context, review.say, argument);
    }
  },
  "tutor.reveal": (context, { say }, argument) => inCoach(context, say, argument),
  "tutor.reset": async (context, result, argument) => {
    await putBack(context, result, argument);
    await context.refresh();
    const { info, units } = context.state;
    const unit = units.find(({ id }) => id === argument.unit) ?? focusUnit(units);
    if (info !== null && unit !== undefined) {
      await showStub(join(info.workspace, unit.file), unit);
    }
  },
  "tutor.restore": putBack,
  "tutor.claim": async (context, { say }) => {
    quietly(say);
    await context.refresh();
  },
  "tutor.compare": (_context, comparison) => showComparison(comparison),
  "tutor.end": async (context, { say, recommendations: [next] }) => {
    await context.refresh();
    const start = (): unknown =>
      vscode.commands.executeCommand("tutorLsp.start", { node: next?.node });
    aloud(context, say, next === undefined ? [] : [{ title: t`Start: ${next.title}`, run: start }]);
  },
  "tutor.cancel": (_context, { say }) => {
    quietly(say);
  },
  "tutor.report": (_context, page) => showReport(page),
  "tutor.doctor": ({ commandForm }, diagnosis) => {
    showDoctor(diagnosis, commandForm);
  },
};

/** Shows hints and reviews, which contain the whole text; if there are none, shows a message. */
async function inCoach(context: Context, say: Say, argument: object): Promise<void> {
  if (await showCoach(context.reading, await context.root(argument))) {
    quietly(say);
  } else {
    aloud(context, say);
  }
}

async function showHint(
  context: Context,
  // An older server knows no ways on.
  { reason, text, say, source, actions = [] }: Omit<Hinted, "actions"> & Partial<Pick<Hinted, "actions">>,
  argument: HintArguments | AskArguments,
): Promise<void> {
  // An unanswered question is not kept among the hints.
  if (reason === "NO_MODEL") {
    offerModel(context, say.oneLine);
  } else if (
    reason === "NO_ANSWER" ||
    (typeof argument.question === "string" && !(await coachHas(await context.root(argument), text)))
  ) {
    aloud(context, say);
  } else {
    const left = hasLeft(context, await context.root(argument));
    if (left && source === "author") {
      return;
    }
    if (left) {
      aloud(context, say);
    } else {
      await inCoach(context, say, argument);
    }
    if (actions.length > 0) {
      const ways = actions.map(({ title, command, argument: own }) => {
        return { title, run: () => vscode.commands.executeCommand(command, own) };
      });
      context.offer(say.oneLine, ways);
    }
  }
}

/** Says that a model is missing, with buttons for the doctor and the setting. */
export function offerModel(context: Context, text: string): void {
  const open = (id: string, argument?: string) => () =>
    vscode.commands.executeCommand(id, argument);
  context.offer(text, [
    { title: REMEDIES.doctor[0], run: open("tutorLsp.doctor") },
    { title: REMEDIES.settings[0], run: open("workbench.action.openSettings", "tutor.backend") },
  ]);
}

/** Exercises in which a first hint is shown that a model's may replace. */
const early = new Set<string>();

/** Whether the learner has turned away from the first hint while a model worked on a better one. */
function hasLeft({ reading }: Context, root: string | undefined): boolean {
  return root !== undefined && early.delete(root) && !reading.isInFront(join(root, COACH));
}

/**
 * The first hint can be read while a model works on a better one, which replaces it, and an answer while
 * it is written. More of that does not come back in front of who has turned away from it.
 */
export async function onHint(context: Context, { sessionId, final }: HintReady): Promise<void> {
  const { info } = context.state;
  if (final || info?.id !== sessionId) {
    return;
  }
  const goesOn = early.has(info.workspace);
  early.add(info.workspace);
  if (!goesOn || context.reading.isInFront(join(info.workspace, COACH))) {
    await showCoach(context.reading, info.workspace);
  }
}

/** Goes to the lines that a review is about, in the exercise named with them. */
export async function goTo(context: Context, place: Place & Which): Promise<void> {
  const root = await context.root(named(place) ?? context.which());
  if (root !== undefined) {
    await showQuoted(join(root, place.file), place);
  }
}

async function putBack(context: Context, { say }: Said<object>, argument: object): Promise<void> {
  // Files reset in an open editor are not yet on disk, where the tests read them.
  await context.save(await context.root(argument));
  aloud(context, say);
}

function begun(context: Context, started: Said<Started>, asked: object): void {
  const start = context.starts.begun(asked, started);
  if (context.starts.isOver(started.jobId)) {
    return;
  }
  context.working(started.say.oneLine);
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

/**
 * Runs a server command and shows its result; `token` cancels it. Rejects with the server's refusal.
 */
export async function perform<C extends Command>(
  context: Context,
  command: C,
  argument: Interface[C]["argument"],
  token?: vscode.CancellationToken,
): Promise<Interface[C]["result"]> {
  if (command === "tutor.hint" || command === "tutor.ask") {
    early.clear(); // of a call that was cancelled or failed: nobody has turned away from this one
  }
  const answer = ask(context, command, argument, token);
  const meanwhile = MEANWHILE[command];
  if (meanwhile !== undefined) {
    vscode.window.setStatusBarMessage(`$(sync~spin) Tutor: ${meanwhile}`, answer.catch(() => undefined));
  }
  const result = await answer;
  const show: Show<C> | undefined = SHOW[command];
  await show?.(context, result, argument);
  return result;
}

async function ask<C extends Command>(
  context: Context,
  command: C,
  argument: Interface[C]["argument"],
  token: vscode.CancellationToken | undefined,
): Promise<Interface[C]["result"]> {
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
  return command in SHOW ? perform(context, command as Command, argument as never) : next();
}
