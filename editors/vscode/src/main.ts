// The extension's entry: a table of commands, and what happens without one.
import * as vscode from "vscode";
import { goTo, onHint, perform, performNamed } from "./actions";
import { askAbout } from "./asking";
import { Attention } from "./attention";
import { Context } from "./context";
import { confirmedHere, confirmedWhich } from "./elsewhere";
import { here, hereInTests } from "./here";
import { LessonFollower } from "./lesson";
import { readProblem, restricted } from "./messages";
import { resetRows, statusRows, topicRows } from "./pickers";
import { registerPages } from "./pages";
import type { MarkdownIt } from "./reading";
import { Practise } from "./practise";
import type { Node, Place, Target, Which } from "./protocol";
import { serverKeys } from "./settings";
import { showReview } from "./show";
import {
  browse,
  chooseExercise,
  chooseSession,
  findAbandoned,
  goOn,
  onFailed,
  onReady,
  startOrGoOn,
} from "./start";
import { Tests } from "./tests";
import { confirm, pick } from "./ui";
import { registerViews } from "./views";
import { isAlive, Storage } from "./storage";
import { named, windowFolders } from "./place";
import { arrive, arriveAtCode, type Arriving, exerciseFolder, trusted } from "./windows";

type Run = (context: Context, argument: unknown) => unknown;

/** Every palette command. The ids differ from the server's, which the client registers itself. */
const COMMANDS: Record<string, Run> = {
  "tutorLsp.start": start,
  "tutorLsp.next": changing("tutor.next"),
  "tutorLsp.check": (context) => perform(context, "tutor.check", context.which()),
  "tutorLsp.attempt": changing("tutor.attempt"),
  "tutorLsp.hint": hint,
  "tutorLsp.ask": ask,
  "tutorLsp.review": (context) => perform(context, "tutor.review", context.which()),
  "tutorLsp.reveal": reveal,
  "tutorLsp.reset": reset,
  "tutorLsp.restore": restore,
  "tutorLsp.status": status,
  "tutorLsp.curriculum": (context) => browse(context),
  "tutorLsp.sessions": chooseSession,
  "tutorLsp.resume": resume,
  "tutorLsp.end": end,
  "tutorLsp.topic": topic,
  "tutorLsp.compare": (context) => perform(context, "tutor.compare", here()),
  "tutorLsp.refresh": (context) => context.refresh(),
  "tutorLsp.openLesson": opener("lesson"),
  "tutorLsp.openStub": opener("stub"),
  "tutorLsp.openTest": opener("test"),
  "tutorLsp.openCoach": openCoach,
  "tutorLsp.place": (context, argument) => goTo(context, argument as Place & Which),
  "tutorLsp.report": (context) => perform(context, "tutor.report", context.which()),
  "tutorLsp.cancel": (context) => perform(context, "tutor.cancel", {}),
  "tutorLsp.doctor": (context) => perform(context, "tutor.doctor", {}),
  "tutorLsp.showLog": (context) => {
    context.log.show();
  },
  "tutorLsp.restart": (context) => context.restart(true),
  "tutorLsp.setUp": setUp,
};

async function start(context: Context, argument: unknown): Promise<void> {
  const { last } = context.starts;
  if (argument === "again" && last !== undefined) {
    await perform(context, "tutor.start", last.argument);
  } else if (typeof argument === "object" && argument !== null) {
    await perform(context, "tutor.start", argument);
  } else {
    await chooseExercise(context);
  }
}

/** A command that changes something in the exercise, which must be the one that is meant. */
function changing(command: "tutor.next" | "tutor.attempt"): Run {
  return async (context, argument) => {
    const which = await confirmedWhich(context, argument);
    if (which !== undefined) {
      await perform(context, command, which);
    }
  };
}

async function hint(context: Context, argument: unknown): Promise<void> {
  const which = await confirmedHere(context, argument);
  if (which !== undefined) {
    await perform(context, "tutor.hint", which);
  }
}

async function ask(context: Context): Promise<void> {
  const which = await confirmedHere(context);
  if (which !== undefined) {
    await askAbout(context, which);
  }
}

/** Opens a part of the step that a row or button names, else of the one under the cursor. */
function opener(target: Target): Run {
  return (context, argument) => {
    const { unit, test } = (argument ?? {}) as { unit?: string; test?: string };
    const at = target === "stub" ? hereInTests() : here();
    const which =
      unit === undefined ? (named(argument) ?? at) : { ...(named(argument) ?? context.which()), unit };
    return perform(context, "tutor.open", { ...which, target, ...(test && { test }) });
  };
}

/** Opens hints and reviews, at the review of an attempt where one is meant. */
async function openCoach(context: Context, argument: unknown): Promise<void> {
  const { attempt } = (argument ?? {}) as { attempt?: number };
  const which = named(argument) ?? context.which();
  const root = attempt === undefined ? undefined : await context.root(which);
  if (attempt === undefined || !(await showReview(context.reading, root, attempt))) {
    await perform(context, "tutor.open", { ...which, target: "coach" });
  }
}

/** Asks first only where the server would not show the solution freely. */
async function reveal(context: Context): Promise<void> {
  const argument = await confirmedHere(context);
  if (argument === undefined) {
    return;
  }
  try {
    await perform(context, "tutor.reveal", argument);
  } catch (error) {
    const problem = readProblem(error);
    if (problem.confirmable === undefined) {
      throw error;
    }
    const { unit, stub } = problem.confirmable;
    if (await confirm(`Show the solution of ${stub}?`, problem.message, "Show It")) {
      await perform(context, "tutor.reveal", { ...argument, unit, confirm: true });
    }
  }
}

async function setUp(context: Context): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw restricted();
  }
  const { installation } = context;
  const { file } = await installation.make();
  const pin = await installation.mustPin();
  await context.stop();
  if (pin) {
    await installation.pin(file);
  }
  await context.server(true);
}

/** What can be done with a topic of the curriculum; menus give its row, a click the topic itself. */
async function topic(context: Context, argument: unknown): Promise<void> {
  const { subject } = argument as { subject?: Node };
  const { id, title, language, claimed } = subject ?? (argument as Node);
  const choice = await pick(topicRows(claimed), title);
  if (choice === "start") {
    await startOrGoOn(context, { node: id, language });
  } else if (choice !== undefined) {
    await perform(context, "tutor.claim", { node: id, known: choice === "known" });
  }
}

/** Goes on with a session: the one a row stands for, else one from the list. */
async function resume(context: Context, argument: unknown): Promise<void> {
  const session = subjectOf(argument);
  await (session === undefined
    ? chooseSession(context)
    : perform(context, "tutor.resume", { session }));
}

async function end(context: Context, argument: unknown): Promise<void> {
  const session = subjectOf(argument);
  const which = session === undefined ? await confirmedWhich(context) : { session };
  if (which !== undefined) {
    await perform(context, "tutor.end", which);
  }
}

/** The id that a row of the view stands for, or that was given itself. */
function subjectOf(argument: unknown): string | undefined {
  const subject: unknown =
    typeof argument === "object" && argument !== null
      ? (argument as { subject?: unknown }).subject
      : argument;
  return typeof subject === "string" ? subject : undefined;
}

async function reset(context: Context): Promise<void> {
  const argument = await confirmedWhich(context);
  if (argument === undefined) {
    return;
  }
  const { units } = await context.request("tutor.status", argument);
  const choice = await pick(resetRows(units ?? []), "What should go back to its stub?");
  if (choice === undefined) {
    return;
  }
  if (choice.undo === true) {
    await perform(context, "tutor.reset", { ...argument, undo: true });
    return;
  }
  const what = choice.unit === undefined ? "all stubs" : "this stub";
  const detail = "The lines you wrote there leave the file. They are kept: Reset brings them back.";
  if (await confirm(`Put ${what} back as given?`, detail, "Put Back")) {
    await perform(context, "tutor.reset", { ...argument, ...choice });
  }
}

async function restore(context: Context, argument: unknown): Promise<void> {
  const which = await confirmedWhich(context, argument);
  const detail =
    "What was changed in the tests and in LESSON.md leaves these files. " +
    "It is kept: Undo the last reset brings it back.";
  if (
    which !== undefined &&
    (await confirm("Put tests and lesson back as given?", detail, "Put Back"))
  ) {
    await perform(context, "tutor.restore", which);
  }
}

async function status(context: Context): Promise<void> {
  const argument = context.which();
  const found = context.request("tutor.status", argument).then(statusRows);
  const choice = await pick(found, "Tutor");
  switch (choice?.do) {
    case "unit":
      await perform(context, "tutor.open", { ...argument, unit: choice.unit, target: "stub" });
      break;
    case "start":
      await chooseExercise(context);
      break;
    case "doctor":
      await perform(context, "tutor.doctor", {});
      break;
    case undefined:
      break;
  }
}

let context: Context | undefined;

/** What the editor's Markdown preview takes from this extension. */
interface Exports {
  extendMarkdownIt<M extends MarkdownIt>(markdown: M): M;
}

export function activate(extension: vscode.ExtensionContext): Exports {
  const storage = new Storage(extension.globalStorageUri.fsPath, isAlive);
  const arriving = arriveAtCode(storage);
  const manifest = extension.extension.packageJSON as Manifest;
  const properties = manifest.contributes.configuration.flatMap((part) => {
    return Object.keys(part.properties);
  });
  const own: Context = new Context(
    {
      sessionReady: (ready) => reported(own, () => onReady(own, ready)),
      sessionFailed: (failed) => reported(own, () => onFailed(own, failed)),
      hintReady: (ready) => reported(own, () => onHint(own, ready)),
      running: () => reported(own, () => goOn(own)),
      execute: (command, argument, next) =>
        reported(own, () =>
          command === "tutor.ask" && !("question" in argument)
            ? askAbout(own, argument)
            : performNamed(own, command, argument, next),
        ),
    },
    serverKeys(properties),
    {
      version: manifest.version,
      folder: extension.extensionPath,
      storage: extension.globalStorageUri.fsPath,
    },
    storage,
  );
  context = own;

  for (const [id, run] of Object.entries(COMMANDS)) {
    own.own(
      vscode.commands.registerCommand(id, (argument: unknown) =>
        reported(own, () => run(own, argument)),
      ),
    );
  }
  registerViews(own);
  const lesson = new LessonFollower(own.reading);
  own.own(
    registerPages(),
    new Tests(own),
    new Practise(() => own.isRunning).register(),
    new Attention(own),
    own.onDidChange(() => {
      void reported(own, () => lesson.follow(own.state.info, own.state.units));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      trusted(storage);
      begin(own);
    }),
    vscode.lm.onDidChangeChatModels(() => {
      void reported(own, () => own.modelsChanged());
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["tutor.server", "tutor.home"].some((name) => change.affectsConfiguration(name))) {
        void reported(own, async () => (await own.followSettings()) || startUnasked(own));
      }
      if (change.affectsConfiguration("tutor")) {
        void reported(own, () => own.sendSettings());
      }
    }),
  );
  if (arriving !== undefined) {
    void reported(own, () => arrive(own, arriving));
  }
  begin(own, arriving);
  return { extendMarkdownIt: (markdown) => own.reading.extendMarkdownIt(markdown) };
}

export async function deactivate(): Promise<void> {
  await context?.dispose();
  context = undefined;
}

interface Manifest {
  version: string;
  contributes: { configuration: { properties: object }[] };
}

/**
 * In a trusted window on an exercise the server starts at once, and where a set-up was left when
 * the window was reloaded; in an empty one it gets ready, since the list of exercises is likely to
 * be asked for; everywhere else it starts when asked. What the learner sees goes first.
 */
function begin(own: Context, arriving?: Arriving): void {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  void reported(own, async () => {
    await arriving?.shown.catch(() => undefined);
    await startUnasked(own);
    if (await findAbandoned(own)) {
      await own.server(false);
      await goOn(own);
    }
  });
}

/** Starts the server where the window is one that needs it. */
async function startUnasked(own: Context): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  if (exerciseFolder() !== undefined) {
    await own.server(false);
  } else if (windowFolders().length === 0) {
    await own.getReady();
  }
}

/** Whatever goes wrong in `work` is said to the learner here, and nowhere else. */
async function reported(own: Context, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    await own.report(error);
    return undefined;
  }
}
