// A stand-in for the editor's Testing view: items, what runs said of them, what was marked as old.
import { nothing, TokenSource, type Uri, withDefault } from "./fakeParts";

type Items = Map<string, FakeItem>;
type Run = (request: { include?: FakeItem[] }, token: object) => Promise<void>;

class FakeItem {
  readonly children = collection(() => this);
  description: string | undefined;
  range: unknown;
  parent: FakeItem | undefined;

  constructor(
    readonly id: string,
    readonly label: string,
    readonly uri: Uri | undefined,
  ) {}
}

function collection(parent?: () => FakeItem): object & { all: Items } {
  const all: Items = new Map();
  return {
    all,
    get size() {
      return all.size;
    },
    [Symbol.iterator]: () => all[Symbol.iterator](),
    get: (id: string) => all.get(id),
    forEach: (visit: (item: FakeItem) => void) => {
      all.forEach((item) => {
        visit(item);
      });
    },
    replace: (items: FakeItem[]) => {
      all.clear();
      items.forEach((item) => all.set(item.id, Object.assign(item, { parent: parent?.() })));
    },
  } as object & { all: Items };
}

export class FakeTesting {
  private readonly tree = collection();
  private run: Run = () => Promise.resolve();
  /** What was said last, by the item's id. */
  readonly said = new Map<string, string>();
  endedRuns = 0;
  /** What runs said in words. */
  output = "";
  /** Ids of items whose results were marked as outdated; "all". */
  readonly outdated: string[] = [];

  get items(): FakeItem[] {
    return [...this.tree.all.values()];
  }

  tests(unit: string): FakeItem[] {
    return [...(this.tree.all.get(unit)?.children.all.values() ?? [])];
  }

  /** Runs what the learner asks for in the view: some items, or all. */
  ask(include?: FakeItem[]): Promise<void> {
    return this.run(include === undefined ? {} : { include }, new TokenSource().token);
  }

  part(): object {
    const say = (outcome: string) => (item: FakeItem) => this.said.set(item.id, outcome);
    const outcomes = ["started", "passed", "failed", "errored", "skipped"];
    const run = withDefault({
      ...Object.fromEntries(outcomes.map((outcome) => [outcome, say(outcome)])),
      appendOutput: (text: string) => (this.output += text),
      end: () => (this.endedRuns += 1),
    });
    const controller = withDefault({
      items: this.tree,
      createTestItem: (id: string, label: string, uri?: Uri) => new FakeItem(id, label, uri),
      createRunProfile: (_label: string, _kind: unknown, handler: Run) => {
        this.run = handler;
      },
      createTestRun: () => run,
      invalidateTestResults: (item?: FakeItem) => this.outdated.push(item?.id ?? "all"),
      dispose: nothing,
    });
    return withDefault({ createTestController: () => controller });
  }
}
