// The exercise's tests in the editor's Testing view: a tree per unit, the results of every run.
import { join } from "node:path";
import * as vscode from "vscode";
import { inPalette } from "./commandNames";
import { perform } from "./actions";
import type { Context } from "./context";
import { reportText } from "./messages";
import type { Report, SessionInfo, TestResult, Unit } from "./protocol";
import { failureText, isOutdated } from "./results";

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("tutorLsp", "Tutor");
  private readonly disposables: { dispose(): unknown }[] = [];
  /** Whose tests the items are. */
  private info: SessionInfo | null = null;
  private exercise = "";
  private shownRun = "";
  /** Units whose results are marked as outdated. */
  private readonly outdated = new Set<string>();
  /** How many runs the learner has begun here that have not ended. */
  private asked = 0;

  constructor(private readonly context: Context) {
    this.controller.createRunProfile(
      "Run Tests",
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.controller.refreshHandler = () => context.refresh();
    this.disposables.push(
      this.controller,
      context.onDidChange(() => {
        this.follow();
      }),
      context.onDidRun((report) => {
        this.follow();
        this.showRun(report);
      }),
    );
  }

  dispose(): void {
    for (const disposable of this.disposables.reverse()) {
      disposable.dispose();
    }
  }

  /** Makes the tree the one of the present exercise. */
  private follow(): void {
    const { info, units, tests } = this.context.state;
    this.info = info;
    if (info === null) {
      this.exercise = "";
      this.controller.items.replace([]);
      return;
    }
    const places = new Map(tests.map((test) => [test.name, test]));
    // A test's file cannot be added to its item, and is known from the first run on.
    const files = (unit: Unit): unknown[] =>
      unit.tests.map((name) => [name, places.get(name)?.file]);
    const shape = JSON.stringify([info.id, units.map((unit) => [unit.id, files(unit)])]);
    if (this.exercise !== shape) {
      this.exercise = shape;
      this.shownRun = "";
      this.outdated.clear();
      this.controller.items.replace(units.map((unit) => this.item(unit, info.workspace)));
    }
    for (const unit of units) {
      const item = this.controller.items.get(unit.id);
      if (item !== undefined) {
        item.range = lineRange(unit.line);
      }
    }
    this.each((item) => {
      const line = places.get(item.id)?.line ?? undefined;
      if (line !== undefined && item.range === undefined) {
        item.range = lineRange(line);
      }
    });
    if (this.asked === 0) {
      this.outdate(units, tests);
    }
  }

  /** Marks results that were overtaken, where no new ones are on their way. */
  private outdate(units: readonly Unit[], tests: readonly TestResult[]): void {
    for (const unit of units) {
      if (!isOutdated(unit, tests)) {
        this.outdated.delete(unit.id);
      } else if (!this.outdated.has(unit.id)) {
        this.outdated.add(unit.id);
        this.controller.invalidateTestResults(this.controller.items.get(unit.id));
      }
    }
  }

  private item(unit: Unit, root: string): vscode.TestItem {
    const stub = vscode.Uri.file(join(root, unit.file));
    // All in the label: screen readers are told a description instead of it.
    const label = `${unit.id} ${unit.stub} · ${unit.firstPrinciple}`;
    const parent = this.controller.createTestItem(unit.id, label, stub);
    parent.children.replace(
      unit.tests.map((name) => this.controller.createTestItem(name, name, this.place(name, root))),
    );
    return parent;
  }

  private place(name: string, root: string): vscode.Uri | undefined {
    const file = this.context.state.tests.find((test) => test.name === name)?.file;
    return typeof file === "string" ? vscode.Uri.file(join(root, file)) : undefined;
  }

  private each(visit: (item: vscode.TestItem) => void): void {
    this.controller.items.forEach((unit) => {
      unit.children.forEach(visit);
    });
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

  private wanted(request: vscode.TestRunRequest): vscode.TestItem[] {
    const found = new Map<string, vscode.TestItem>();
    const leaves = (item: vscode.TestItem, visit: (leaf: vscode.TestItem) => void): void => {
      if (item.children.size === 0) {
        visit(item);
      } else {
        item.children.forEach((child) => {
          leaves(child, visit);
        });
      }
    };
    const add = (item: vscode.TestItem): void => {
      leaves(item, (leaf) => found.set(leaf.id, leaf));
    };
    if (request.include === undefined) {
      this.controller.items.forEach(add);
    } else {
      request.include.forEach(add);
    }
    for (const item of request.exclude ?? []) {
      leaves(item, (leaf) => found.delete(leaf.id));
    }
    return [...found.values()];
  }

  /** A run that the learner did not begin here: on save, an attempt, or the last one. */
  private showRun(report: Report): void {
    if (this.asked > 0 || report.runId === this.shownRun || report.outcome === "cancelled") {
      return;
    }
    this.shownRun = report.runId;
    if (report.tests.length === 0) {
      this.controller.invalidateTestResults();
      return;
    }
    const all: vscode.TestItem[] = [];
    this.each((item) => all.push(item));
    const request = new vscode.TestRunRequest(all, undefined, undefined, false, true);
    const run = this.controller.createTestRun(request, "Tutor", false);
    this.show(run, report, all, this.info?.workspace);
    run.end();
  }

  private show(
    run: vscode.TestRun,
    report: Report,
    items: readonly vscode.TestItem[],
    root: string | undefined,
  ): void {
    const results = new Map(report.tests.map((test) => [test.name, test]));
    run.appendOutput(`${reportText(report)}\r\n`);
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
    if (result.output !== undefined && result.output !== "") {
      run.appendOutput(result.output.replace(/\r?\n/g, "\r\n"), undefined, item);
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

/** Why a run has no result: the first build error with its place, else the reason. */
function whyNot(report: Report, root: string | undefined): vscode.TestMessage {
  const [first] = report.buildErrors;
  const why = first?.message ?? inPalette(report.reason ?? "not run");
  const message = new vscode.TestMessage(why);
  if (first !== undefined && root !== undefined) {
    const at = new vscode.Position(Math.max(0, first.line - 1), Math.max(0, first.column - 1));
    message.location = new vscode.Location(vscode.Uri.file(join(root, first.file)), at);
  }
  return message;
}

function failure(result: TestResult, root: string | undefined): vscode.TestMessage {
  const { expected, actual, file, line } = result;
  const text = inPalette(failureText(result));
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

function lineRange(line: number): vscode.Range {
  return new vscode.Range(Math.max(0, line - 1), 0, Math.max(0, line - 1), 0);
}
