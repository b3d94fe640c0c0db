// What the tutor's view shows, as plain data. Pure. Every icon is said in words, too.
import { joined } from "../words/messages";
import type {
  AttemptInfo,
  Choice,
  ListedSession,
  NodeInfo,
  OpenSession,
  Place,
  Review,
  Said,
  TestResult,
  UnitInfo,
} from "../server/protocol";
import { isOpen } from "../exercises/sessions";
import { ICONS, testLabels } from "../exercises/units";
import { t } from "../words/words";

export interface Branch {
  /** Stays the same while the thing it stands for does. */
  id: string;
  label: string;
  description?: string;
  tooltip?: string;
  icon?: string;
  /** For screen readers: everything that is seen. */
  spoken: string;
  /** Kind for menus. */
  kind?: string;
  command?: [id: string, argument?: unknown] | undefined;
  children?: Branch[];
  collapsed?: boolean;
  /** What menus act on. */
  subject?: unknown;
}

/** The session that a row is of. */
interface Own {
  session: string;
}

/**
 * `words` say what the row is, `whole` is a description that is longer than what has room; marks at the
 * beginning of the label are only seen.
 */
type Given = Omit<Branch, "spoken"> & { words?: string; whole?: string };

export function branch({ words, whole, ...given }: Given): Branch {
  const label = given.label.replace(/^\W /, "").replace(/^[●○]+ /, "");
  const spoken = joined(label, words, whole ?? given.description).replaceAll(" · ", ", ");
  return { ...given, spoken };
}

const TEST_ICONS: Record<TestResult["outcome"], string> = {
  passed: "pass",
  failed: "error",
  errored: "error",
  timeout: "watch",
  not_run: "circle-slash",
  todo: "circle-outline",
};

/** The exercise: its units, then what can be read, then attempts with their reviews. */
export function sessionTree(
  session: OpenSession | null,
  units: readonly UnitInfo[],
  tests: readonly TestResult[],
  review: Said<Review> | null = null,
): Branch[] {
  if (session === null) {
    return [];
  }
  const results = new Map(tests.map((test) => [test.name, test]));
  const focus = units.find((unit) => unit.focus);
  // Rows say which exercise they are of: by the time of a click another one may be in front.
  const own = { session: session.id };
  return [
    branch({
      id: "units",
      label: session.title,
      description: session.standing?.words ?? "",
      words: t`exercise`,
      kind: "exercise",
      icon: "mortar-board",
      children: units.map((unit) => unitBranch(own, unit, results)),
      subject: session.id,
    }),
    branch({
      id: "lesson",
      label: t`Lesson`,
      description: focus?.lesson.heading ?? "",
      icon: "book",
      command: ["tutorLsp.openLesson", { ...own, ...(focus && { unit: focus.id }) }],
    }),
    branch({
      id: "coach",
      label: t`Hints and reviews`,
      icon: "comment-discussion",
      command: ["tutorLsp.openCoach", own],
    }),
    ...(review === null ? [] : [reviewBranch(own, review)]),
    branch({
      id: "attempts",
      label: t`Attempts`,
      description: session.attempts === 0 ? t`none yet` : String(session.attempts),
      icon: "history",
      children: [...session.history].reverse().map((attempt) => attemptBranch(own, attempt)),
    }),
  ];
}

function unitBranch(own: Own, unit: UnitInfo, results: ReadonlyMap<string, TestResult>): Branch {
  const { id, words, state } = unit;
  const here = unit.focus && state !== "passing" && t`you are here`;
  const labels = testLabels(unit);
  const whole = joined(id, words, here);
  return branch({
    id: unit.id,
    label: unit.stub,
    // A row is short of room: the icon says what is to do, and only the step at hand is unfolded.
    description: state === "todo" && here ? here : joined(id, words),
    whole,
    tooltip: `${joined(unit.stub, whole)}\n${unit.firstPrinciple}`,
    icon: ICONS[state],
    kind: "unit",
    command: ["tutorLsp.openStub", { ...own, unit: unit.id }],
    collapsed: !unit.focus,
    subject: unit.id,
    children: unit.tests.map((name) => {
      const result = results.get(name);
      const outcome = result?.outcome ?? "todo";
      const description = outcome === "passed" ? "passes" : (result?.message ?? "").replaceAll("`", "");
      // The icon says it, and leaves the row to the name.
      const whole = joined(description) || t`not run yet`;
      return branch({
        id: `${unit.id}/${name}`,
        label: labels.get(name) ?? name,
        description,
        whole,
        words: t`test`,
        tooltip: joined(name, whole),
        icon: TEST_ICONS[outcome],
        command: testCommand(own, unit.id, name, result),
      });
    }),
  });
}

/** To where a test failed; a test that passes is found by its name. */
function testCommand(own: Own, unit: string, test: string, result?: TestResult): Branch["command"] {
  const { file, line } = result ?? {};
  return file && line
    ? ["tutorLsp.place", { ...own, file, line, endLine: line, quote: "" }]
    : ["tutorLsp.openTest", { ...own, unit, test }];
}

/** The last review: what it found, each with its place. */
function reviewBranch(own: Own, review: Said<Review>): Branch {
  const { findings, improvement, improvementAt, question, counterExample, say } = review;
  const coach: Branch["command"] = ["tutorLsp.openCoach", own];
  const said = (id: string, label: string, icon: string, text: string, command = coach): Branch => {
    // Rows show Markdown's marks as they are.
    const description = text.replaceAll("`", "");
    return branch({ id: `review/${id}`, label, description, tooltip: text, icon, command });
  };
  const to = (at: Place | null): Branch["command"] =>
    at === null ? undefined : ["tutorLsp.place", { ...at, ...own }];
  const stub = counterExample && { ...own, unit: counterExample.unit };
  return branch({
    id: "review",
    label: t`Last review`,
    description: say.title,
    tooltip: review.summary,
    icon: "comment",
    command: coach,
    children: [
      ...(stub ? [said("case", t`Still open`, "error", say.oneLine, ["tutorLsp.openStub", stub])] : []),
      ...findings.map((finding, index) =>
        said(`${index}`, t`Line ${finding.line}`, "info", finding.claim, to(finding)),
      ),
      ...(improvement === null
        ? []
        : [said("improvement", t`To improve`, "sparkle", improvement, to(improvementAt))]),
      ...(question === null ? [] : [said("question", t`A question`, "question", question)]),
    ],
  });
}

function attemptBranch(own: Own, { number, words, verdict }: AttemptInfo): Branch {
  return branch({
    id: `attempt ${number}`,
    label: t`Attempt ${number}`,
    description: words,
    icon: verdict === "PASS" ? "pass" : "circle-outline",
    command: ["tutorLsp.openCoach", { ...own, attempt: number }],
  });
}

/** The topics of a language as the server lists them; none where there is only one language. */
export interface Topics {
  language: Choice | undefined;
  topics: readonly Choice[];
}

/** Languages, tracks and topics with their mastery. */
export function curriculumTree(all: readonly Topics[], nodes: readonly NodeInfo[]): Branch[] {
  // Learners' own topics may have the same id in several languages.
  const byId = new Map(nodes.map((node) => [`${node.language} ${node.id}`, node]));
  return all.flatMap(({ language, topics }) => {
    const tracks = trackBranches(topics, byId);
    return language === undefined
      ? tracks
      : [
          branch({
            id: `language ${language.label}`,
            label: language.label,
            description: language.detail,
            icon: "code",
            collapsed: true,
            children: tracks,
          }),
        ];
  });
}

function trackBranches(
  topics: readonly Choice[],
  nodes: ReadonlyMap<string, NodeInfo>,
): Branch[] {
  const tracks = new Map<string, Branch[]>();
  for (const row of topics) {
    const id = `${String(row.argument.language)} ${String(row.argument.node)}`;
    const node = nodes.get(id);
    if (node !== undefined) {
      tracks.set(row.group, [...(tracks.get(row.group) ?? []), topicBranch(id, row, node)]);
    }
  }
  return [...tracks].map(([title, children]) =>
    branch({
      id: `${children[0]?.id ?? ""} track`,
      label: title,
      words: t`track`,
      collapsed: true,
      children,
    }),
  );
}

function topicBranch(id: string, { label, detail }: Choice, node: NodeInfo): Branch {
  return branch({
    id,
    label,
    description: detail,
    tooltip: node.summary,
    icon: node.mastery >= 3 || node.claimed ? "pass-filled" : node.due ? "bell" : "circle-outline",
    kind: node.claimed ? "topic known" : "topic",
    command: ["tutorLsp.topic", node],
    subject: node,
  });
}

/** All sessions as the server lists them; those whose folder is gone name none in their row. */
export function sessionsTree(
  rows: readonly Choice[],
  sessions: readonly ListedSession[],
): Branch[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return rows.map(({ label, detail, argument }, at) => {
    const session = byId.get(String(argument.session));
    return branch({
      id: session?.id ?? `gone ${at}`,
      label,
      description: detail,
      ...(session && { tooltip: session.workspace, subject: session.id }),
      icon: session === undefined ? "circle-slash" : session.passed ? "pass" : "debug-continue",
      kind: session !== undefined && isOpen(session) ? "session open" : "session",
      ...(session && { command: ["tutorLsp.resume", session.id] as [string, string] }),
    });
  });
}
