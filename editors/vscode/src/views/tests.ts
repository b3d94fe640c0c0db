// The exercise's tests in the editor's Testing view: a tree per unit, the results of every run.
import { join } from "node:path";
import * as vscode from "vscode";
import { perform } from "../commands/actions";
import type { Context } from "../context";
import type { Said, OpenSession, TestReport, TestResult, UnitInfo } from "../server/protocol";
import { testLabels } from "../exercises/units";
import { t } from "../words/words";

/** Registers the Testing view's part, which follows what the server says. */
export function registerTests(context: Context): void {
  const tests = new Tests(context);
  context.own(
    tests.controller,
    context.onDidChange(() => {
      tests.follow();
    }),
    context.onDidRun((report) => {
      tests.follow();
      tests.showRun(report);
    }),
  );
}

class Tests {
  readonly controller = vscode.tests.createTestController("tutorLsp", "Tutor");
  /** Whose tests the items are. */
  private info: OpenSession | null = null;
  private exercise = "";
  private shownRun = "";
  /** Units whose results are marked as outdated. */
  private readonly outdated = new Set<string>();
  /** How many runs the learner has begun here that have not ended. */
  private asked = 0;

  constructor(private readonly context: Context) {
    this.controller.createRunProfile(
      t`Run Tests`,
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.controller.refreshHandler = () => context.refresh();
  }

  /** Makes the tree the one of the present exercise. */
  follow(): void {
    const { info, units, tests } = this.context.state;
    this.info = info;
    if (info === null) {
      this.exercise = "";
      this.controller.items.replace([]);
      return;
    }
    const places = new Map(tests.map((test) => [test.name, test]));
    // A test's file cannot be added to its item, and is known from the first run on.
    const files = (unit: UnitInfo): unknown[] =>
      unit.tests.map((name) => [name, places.get(name)?.file]);
    const shape = JSON.stringify([info.id, units.map((unit) => [unit.id, files(unit)])]);
    if (this.exercise !== shape) {
      this.exercise = shape;
      this.shownRun = "";
      this.outdated.clear();
      this.controller.items.replace(units.map((unit) => this.item(unit, info.workspace, places)));
    }
    for (const unit of units) {
      const item = this.controller.items.get(unit.id);
      if (item !== undefined) {
        item.range = lineRange(unit.line);
      }
    }
    for (const item of this.wanted({})) {
      const line = places.get(item.id)?.line;
      if (typeof line === "number") {
        item.range ??= lineRange(line);
      }
    }
    if (this.asked === 0) {
      this.outdate(units);
    }
  }

  /** Marks results that were overtaken, where no new ones are on their way. */
  private outdate(units: readonly UnitInfo[]): void {
    for (const unit of units) {
      if (!unit.old) {
        this.outdated.delete(unit.id);
      } else if (!this.outdated.has(unit.id)) {
        this.outdated.add(unit.id);
        this.controller.invalidateTestResults(this.controller.items.get(unit.id));
      }
    }
  }

  private item(unit: UnitInfo, root: string, files: ReadonlyMap<string, TestResult>): vscode.TestItem {
    const stub = vscode.Uri.file(join(root, unit.file));
    // All in the label: screen readers are told a description instead of it.
    const label = `${unit.id} ${unit.stub} · ${unit.firstPrinciple}`;
    const parent = this.controller.createTestItem(unit.id, label, stub);
    const labels = testLabels(unit);
    parent.children.replace(
      unit.tests.map((name) => {
        const file = files.get(name)?.file;
        const uri = typeof file === "string" ? vscode.Uri.file(join(root, file)) : undefined;
        return this.controller.createTestItem(name, labels.get(name) ?? name, uri);
      }),
    );
    return parent;
  }

  /** The tests that a request is about, by default all. */
  private wanted({ include, exclude = [] }: Partial<vscode.TestRunRequest>): vscode.TestItem[] {
    const left = new Set(exclude.flatMap(leaves));
    const all = include?.flatMap(leaves) ?? below(this.controller.items);
    return [...new Set(all)].filter((item) => !left.has(item));
  }

  /** All tests are run, since that takes no longer; those that were asked for are shown. */
  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    this.asked += 1;
    const { info } = this;
    const which = info === null ? this.context.which() : { session: info.id };
    const wanted = this.wanted(request);
    wanted.forEach((item) => {
      run.started(item);
    });
    try {
      const report = await perform(this.context, "tutor.check", which, token);
      this.shownRun = report.runId;
      // What is shown here is of now, whatever it says.
      wanted.forEach((item) => this.outdated.add(item.parent?.id ?? item.id));
      this.show(run, report, wanted, info?.workspace);
    } catch (error) {
      wanted.forEach((item) => {
        run.skipped(item);
      });
      // Not waited for: it lasts until the message is gone, and the run must not.
      void this.context.report(error);
    } finally {
      this.asked -= 1;
      run.end();
      this.follow();
    }
  }

  /** A run that the learner did not begin here: on save, an attempt, or the last one. */
  showRun(report: Said<TestReport>): void {
    if (this.asked > 0 || report.runId === this.shownRun || report.outcome === "cancelled") {
      return;
    }
    this.shownRun = report.runId;
    if (report.tests.length === 0) {
      this.controller.invalidateTestResults();
      return;
    }
    const all = this.wanted({});
    const request = new vscode.TestRunRequest(all, undefined, undefined, false, true);
    const run = this.controller.createTestRun(request, "Tutor", false);
    this.show(run, report, all, this.info?.workspace);
    run.end();
  }

  private show(
    run: vscode.TestRun,
    report: Said<TestReport>,
    items: readonly vscode.TestItem[],
    root: string | undefined,
  ): void {
    const results = new Map(report.tests.map((test) => [test.name, test]));
    run.appendOutput(`${lines(report.say.markdown)}\r\n`);
    for (const item of items) {
      const result = results.get(item.id);
      if (result === undefined) {
        run.errored(item, whyNot(report, root));
        continue;
      }
      this.showOne(run, item, result, root);
    }
  }

  private showOne(
    run: vscode.TestRun,
    item: vscode.TestItem,
    result: TestResult,
    root: string | undefined,
  ): void {
    const took = result.durationMs;
    if (result.output !== "") {
      run.appendOutput(lines(result.output), undefined, item);
    }
    switch (result.outcome) {
      case "passed":
        run.passed(item, took);
        break;
      case "not_run":
      case "todo":
        // A stub that nobody has started is nothing to be alarmed about.
        run.skipped(item);
        break;
      case "errored":
      case "timeout":
        run.errored(item, failure(result, root), took);
        break;
      case "failed":
        run.failed(item, failure(result, root), took);
    }
  }
}

function below(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].flatMap(([, item]) => leaves(item));
}

/** The tests of an item, which may be one itself. */
function leaves(item: vscode.TestItem): vscode.TestItem[] {
  return item.children.size === 0 ? [item] : below(item.children);
}

/** Why a run has no result: the first build error with its place, else the reason. */
function whyNot(report: Said<TestReport>, root: string | undefined): vscode.TestMessage {
  const [first] = report.buildErrors;
  const message = new vscode.TestMessage(first?.message ?? report.reason ?? report.say.oneLine);
  if (first !== undefined && root !== undefined) {
    const at = new vscode.Position(Math.max(0, first.line - 1), Math.max(0, first.column - 1));
    message.location = new vscode.Location(vscode.Uri.file(join(root, first.file)), at);
  }
  return message;
}

function failure(result: TestResult, root: string | undefined): vscode.TestMessage {
  const { expected, actual, file, line } = result;
  const text = result.message ?? result.name;
  const message =
    typeof expected === "string" && typeof actual === "string"
      ? vscode.TestMessage.diff(text, expected, actual)
      : new vscode.TestMessage(text);
  if (root !== undefined && typeof file === "string" && typeof line === "number") {
    const { start } = lineRange(line);
    message.location = new vscode.Location(vscode.Uri.file(join(root, file)), start);
  }
  return message;
}

/** A text as terminals want it. */
function lines(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(Math.max(0, line - 1), 0, Math.max(0, line - 1), 0);
}
