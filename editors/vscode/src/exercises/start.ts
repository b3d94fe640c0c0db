// From "Start Exercise" to an open exercise.
import * as vscode from "vscode";
import { perform } from "../commands/actions";
import type { Context } from "../context";
import { failureOf, readProblem } from "../words/messages";
import type {
  Choice,
  ChoicesArguments,
  Command,
  List,
  Said,
  SessionFailed,
  SessionReady,
  StartArguments,
} from "../server/protocol";
import { begunRows, choiceRows, type Row } from "./rows";
import { windowFolders } from "../window/place";
import { begunOn } from "./sessions";
import { pick, readText } from "../words/ui";
import { openExercise } from "../window/windows";
import { t } from "../words/words";

/** How often a set-up is restarted when its window or server ends. */
const MOST_TRIES = 3;
/** How often (ms) to look whether the window that asked for a set-up has ended. */
const LOOK_MS = 1000;

/** Longest topic the server takes, in characters. */
const TOPIC_LENGTH = 200;

/** An exercise that took longer than this (ms) does not open by itself. */
const OPENS_ITSELF_WITHIN = 5000;

/** Titles of the lists. */
const TITLES: Record<List, string> = {
  start: t`What would you like to work on?`,
  topics: t`Choose a topic`,
  sessions: t`Which session would you like to resume?`,
  units: t`Choose a unit`,
  own: t`Which language?`,
};

/** Lets the learner choose from a list of the server, and from those that it leads to. */
export async function choose(
  context: Context,
  list: List = "start",
  more: ChoicesArguments = {},
): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const rows = context.request("tutor.choices", { ...(uri && { uri }), ...more, list });
  await offerRows(context, rows.then(choiceRows), TITLES[list]);
}

/**
 * As `choose`, wherever the server is not set up yet: that begins while a list that comes along is
 * read. What was asked for is remembered, so that it goes on after a reload and after a failure.
 */
export async function chooseFirst(context: Context): Promise<void> {
  const { installation, storage } = context;
  await installation.prepare();
  if (!vscode.workspace.isTrusted || context.isRunning || installation.isReady() || !installation.canInstall) {
    await choose(context);
    return;
  }
  const key = setUpKey();
  const remember = (argument: StartArguments | null): void => {
    const folder = windowFolders()[0] ?? "";
    storage.keepPending(key, { argument, at: Date.now(), folder, pid: process.pid, setUp: true, tries: 0 });
  };
  remember(null);
  const ready = context.server(true);
  ready.catch(() => undefined);
  try {
    const rows = installation.firstChoices();
    const choice = rows.length > 0 ? await pick(choiceRows(rows), TITLES.start) : undefined;
    if (choice?.command === "tutor.start") {
      remember(choice.argument);
    }
    await ready;
    storage.dropPending(key);
    if (choice !== undefined) {
      await take(context, choice);
    } else if (rows.length > 0) {
      offerList(context, t`The tutor is ready.`);
    } else {
      await choose(context);
    }
  } catch (error) {
    storage.dropPending(key);
    if (readProblem(error).kind !== "CANCELLED") {
      throw error;
    }
    offerList(context, t`The tutor was not set up.`);
  }
}

/** Under which a window keeps that it waits for the server to be set up. */
export function setUpKey(): string {
  return /* not shown */ `set-up ${process.pid}`;
}

function offerList(context: Context, said: string): void {
  context.offer(said, [{ title: t`Choose an Exercise`, run: () => chooseFirst(context) }]);
}

/** Lets the learner choose a row, and runs it. */
export async function offerRows(
  context: Context,
  rows: Row<Choice>[] | Promise<Row<Choice>[]>,
  title: string,
): Promise<void> {
  const choice = await pick(rows, title);
  if (choice !== undefined) {
    await take(context, choice);
  }
}

/** Runs what stands behind a row of a list. */
export async function take(context: Context, { kind, command, argument, detail }: Choice): Promise<void> {
  if (command === "tutor.choices") {
    const { list, ...more } = argument as ChoicesArguments;
    await choose(context, list, more);
  } else if (kind === "ask") {
    await ownTopic(context, argument, detail);
  } else if (command === "tutor.start") {
    await startOrGoOn(context, argument);
  } else {
    await perform(context, command as Command, argument as never);
  }
}

/** Starts an exercise; if the learner has one on its topic already, they choose. */
async function startOrGoOn(context: Context, argument: StartArguments): Promise<void> {
  const sessions = await context.request("tutor.sessions", {});
  const begun = begunOn(argument.node ?? "", sessions, argument.language ?? undefined).map(({ id }) => id);
  if (begun.length === 0) {
    await perform(context, "tutor.start", argument);
    return;
  }
  const all = await context.request("tutor.choices", { list: "sessions" });
  const rows = begunRows(new Set(begun), all, argument);
  const choice = await pick(rows, t`You have already started this topic`);
  if (choice !== undefined) {
    await perform(context, choice.command as Command, choice.argument as never);
  }
}

export async function chooseSession(context: Context): Promise<void> {
  const sessions = await context.request("tutor.sessions", {});
  if (sessions.length > 0) {
    await choose(context, "sessions");
    return;
  }
  context.offer(t`There are no sessions yet.`, [
    { title: t`Choose an Exercise`, run: () => choose(context) },
  ]);
}

/** The server says that an exercise is there. */
export async function onReady(context: Context, ready: Said<SessionReady>): Promise<void> {
  context.working(undefined);
  if (ready.jobId === null) {
    // Resumed: the command's answer opens it.
    return;
  }
  context.storage.dropPending(ready.jobId);
  const { at = 0, goingOn = false } = context.starts.ready(ready.jobId) ?? {};
  const open = (): Promise<void> => openExercise(context, ready, goingOn);
  if (Date.now() - at <= OPENS_ITSELF_WITHIN) {
    await open();
    context.refreshQuietly();
  } else {
    context.refreshQuietly();
    context.offer(ready.say.oneLine, [
      { title: t`Open`, run: open },
      { title: t`Later`, run: () => undefined },
    ]);
  }
}

export async function onFailed(context: Context, failed: Said<SessionFailed>): Promise<void> {
  context.working(undefined);
  if (context.isStopping && failed.reason === "CANCELLED") {
    // Nobody cancelled it: it continues with the next server.
    return;
  }
  context.storage.dropPending(failed.jobId);
  context.starts.failed(failed.jobId);
  context.log.error(`${failed.say.markdown}\n${JSON.stringify(failed.details)}`);
  await context.showProblem(failureOf(failed));
}

/**
 * Whether set-ups of this window's folder are waiting to be resumed: their window was
 * reloaded, or their server ended. Waits while that is not certain.
 */
export async function findAbandoned(context: Context): Promise<boolean> {
  const folder = windowFolders()[0] ?? "";
  while (context.storage.hasUndecided(folder, process.pid)) {
    if (context.storage.hasAbandoned(folder)) {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
  }
  return false;
}

/** Resumes the set-ups that ended with their window or server. */
export async function goOn(context: Context): Promise<void> {
  const folder = windowFolders()[0] ?? "";
  const { storage } = context;
  for (const pending of [
    ...storage.takeAbandoned(folder),
    ...storage.takeOwn(folder, process.pid),
  ]) {
    if (pending.argument === null) {
      await choose(context);
    } else if (storage.isOld(pending) && (await mayCallModel(context, pending.argument))) {
      askToGoOn(context, pending.argument);
    } else if (pending.tries < MOST_TRIES) {
      vscode.window.setStatusBarMessage(t`Tutor: resuming your exercise`, 6000);
      context.starts.again(pending.tries + 1);
      await perform(context, "tutor.start", pending.argument);
    }
  }
}

/** Whether the exercise may not come from the library, which needs seconds and no model. */
async function mayCallModel(context: Context, argument: StartArguments): Promise<boolean> {
  const { node, topic, from, backend, fresh, depth } = argument;
  if ([topic, from, backend].some((each) => each !== undefined && each !== null) || fresh === true) {
    return true;
  }
  const set = context.telling.settings().backend ?? "";
  if (set !== "" && set !== "auto" && set !== "library") {
    return true;
  }
  try {
    // The learner's config.toml or environment may choose a model, too.
    const { backend: serving } = await context.request("tutor.status", {});
    const { nodes } = await context.request("tutor.curriculum", {});
    const exercises = nodes.find(({ id }) => id === node)?.exercises ?? [];
    const bundled = exercises.some((each) => (depth ?? each.depth) === each.depth);
    return serving.name !== "library" || !bundled;
  } catch (error) {
    context.log.warn(`It is not known whether a model is needed: ${readProblem(error).message}`);
    return true;
  }
}

/** A set-up of long ago that may call a model is not resumed without asking. */
function askToGoOn(context: Context, argument: StartArguments): void {
  const what = argument.topic ?? argument.node ?? t`an exercise`;
  context.offer(t`Setting up "${what}" was interrupted last time. Continue?`, [
    { title: t`Continue`, run: () => vscode.commands.executeCommand("tutorLsp.start", argument) },
    { title: t`Not Now`, run: () => undefined },
  ]);
}

/** A topic that the learner wrote but did not start, kept for the next time. */
let written = "";

async function ownTopic(context: Context, argument: object, title: string): Promise<void> {
  const topic = await readText(TOPIC_LENGTH, {
    title,
    placeHolder: t`reading large files line by line`,
    value: written,
  });
  if (topic === undefined) {
    return;
  }
  written = topic;
  // What is asked for is empty there.
  const told = Object.entries(argument).map(([key, value]: [string, unknown]) => {
    return [key, value === "" ? written : value];
  });
  await perform(context, "tutor.start", Object.fromEntries(told) as StartArguments);
  written = "";
}
