// What the tutor's view shows, as plain data. Pure. Every icon is said in words, too.
import { joined, minutesText } from "./messages";
import { isBegun, levelOf } from "./pickers";
import { doneText } from "./results";
import { caseText } from "./review";
import type {
  AttemptInfo,
  CounterExample,
  Curriculum,
  ListedSession,
  Node,
  Place,
  Review,
  SessionInfo,
  TestResult,
  Unit,
} from "./protocol";
import { agoText, attemptsText, openSessions, progressText } from "./sessions";
import { STATES, unitText } from "./units";

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
  command?: [id: string, argument?: unknown];
  children?: Branch[];
  collapsed?: boolean;
  /** What menus act on. */
  subject?: unknown;
}

/** The session that a row is of. */
interface Own {
  session: string;
}

/** `words` say what the row is, `marks` stand before its description and are only seen. */
type Given = Omit<Branch, "spoken"> & { words?: string; marks?: string };

function branch({ words, marks, ...given }: Given): Branch {
  const spoken = joined(given.label, words, given.description).replaceAll(" · ", ", ");
  return marks === undefined
    ? { ...given, spoken }
    : { ...given, spoken, description: joined(marks, given.description) };
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
  session: SessionInfo | null,
  units: readonly Unit[],
  tests: readonly TestResult[],
  review: Review | null = null,
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
      description: doneText(units, session.standing),
      words: "exercise",
      kind: "exercise",
      icon: "mortar-board",
      children: units.map((unit) => unitBranch(own, unit, results)),
      subject: session.id,
    }),
    branch({
      id: "lesson",
      label: "Lesson",
      description: focus?.lesson.heading ?? "",
      icon: "book",
      command: ["tutorLsp.openLesson", { ...own, ...(focus && { unit: focus.id }) }],
    }),
    branch({
      id: "coach",
      label: "Hints and reviews",
      icon: "comment-discussion",
      command: ["tutorLsp.openCoach", own],
    }),
    ...(review === null ? [] : [reviewBranch(own, review)]),
    branch({
      id: "attempts",
      label: "Attempts",
      description: session.attempts === 0 ? "none yet" : String(session.attempts),
      icon: "history",
      children: [...(session.history ?? [])].reverse().map((attempt) => attemptBranch(own, attempt)),
    }),
  ];
}

function unitBranch(
  own: Own,
  unit: Unit,
  results: ReadonlyMap<string, TestResult>,
): Branch {
  const { icon } = STATES[unit.state];
  return branch({
    id: unit.id,
    label: unit.stub,
    description: unitText(unit),
    tooltip: unit.firstPrinciple,
    icon: iconName(icon),
    kind: "unit",
    command: ["tutorLsp.openStub", { ...own, unit: unit.id }],
    collapsed: !unit.focus,
    subject: unit.id,
    children: unit.tests.map((name) => {
      const result = results.get(name);
      const outcome = result?.outcome ?? "todo";
      return branch({
        id: `${unit.id}/${name}`,
        label: name,
        description: outcome === "passed" ? "passes" : (result?.message ?? "not run yet"),
        words: "test",
        icon: TEST_ICONS[outcome],
        command: testCommand(own, unit, name, result),
      });
    }),
  });
}

/** To where a test failed; a test that passes is found by its name. */
function testCommand(
  own: Own,
  unit: Unit,
  name: string,
  result?: TestResult,
): [string, unknown] {
  const { file, line } = result ?? {};
  return typeof file === "string" && typeof line === "number"
    ? ["tutorLsp.place", { ...own, file, line, endLine: line, quote: "" }]
    : ["tutorLsp.openTest", { ...own, unit: unit.id, test: name }];
}

/** The last review: what it found, each with its place. */
function reviewBranch(own: Own, review: Review): Branch {
  const { verdict, score, findings, improvement, improvementAt, question, counterExample } = review;
  const said = (id: string, label: string, icon: string, text: string, at?: Place | null): Branch =>
    branch({
      id: `review/${id}`,
      label,
      // Rows show marks of Markdown as they are.
      description: text.replaceAll("`", ""),
      tooltip: text,
      icon,
      command: at ? ["tutorLsp.place", { ...at, ...own }] : ["tutorLsp.openCoach", own],
    });
  return branch({
    id: "review",
    label: "Last review",
    description: verdict === "PASS" ? `passed, score ${score} of 100` : "not yet",
    tooltip: review.summary,
    icon: "comment",
    command: ["tutorLsp.openCoach", own],
    children: [
      ...(counterExample ? [caseBranch(own, counterExample)] : []),
      ...findings.map((finding, index) =>
        said(`${index}`, `Line ${finding.line}`, "info", finding.claim, finding),
      ),
      ...(improvement === null
        ? []
        : [said("improvement", "To improve", "sparkle", improvement, improvementAt)]),
      ...(question === null ? [] : [said("question", "A question", "question", question)]),
    ],
  });
}

function caseBranch(own: Own, example: CounterExample): Branch {
  const text = caseText(example);
  return branch({
    id: "review/case",
    label: "Still open",
    description: text,
    tooltip: text,
    icon: "error",
    command: ["tutorLsp.openStub", { ...own, unit: example.unit }],
  });
}

function attemptBranch(own: Own, attempt: AttemptInfo): Branch {
  const review =
    attempt.verdict === null
      ? "no review yet"
      : attempt.verdict === "PASS"
        ? `passed, score ${attempt.score ?? 0} of 100`
        : "not yet";
  const run =
    attempt.outcome === "build_error"
      ? "did not build"
      : `${attempt.testsPassing} of ${attempt.tests} tests pass`;
  return branch({
    id: `attempt ${attempt.number}`,
    label: `Attempt ${attempt.number}`,
    description: joined(run, review),
    icon: attempt.verdict === "PASS" ? "pass" : "circle-outline",
    command: ["tutorLsp.openCoach", { ...own, attempt: attempt.number }],
  });
}

/** Languages, tracks and topics with their mastery; what builds on what is advice. */
export function curriculumTree(curriculum: Curriculum): Branch[] {
  const titles = new Map(curriculum.nodes.map((node) => [node.id, node.title]));
  return curriculum.languages.map((language) => {
    const nodes = curriculum.nodes.filter((node) => node.language === language);
    const begun = nodes.filter(isBegun).length;
    const shown = new Set<string>();
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const section = (id: string, title: string, members: readonly Node[]): Branch[] => {
      const fresh = members.filter((node) => !shown.has(node.id));
      fresh.forEach((node) => shown.add(node.id));
      return fresh.length === 0
        ? []
        : [
            branch({
              id,
              label: title,
              description: `${fresh.filter((node) => node.openable).length} of ${fresh.length} open now`,
              words: "track",
              collapsed: true,
              children: fresh.map((node) => nodeBranch(node, titles)),
            }),
          ];
    };
    return branch({
      id: `language ${language}`,
      label: language,
      description: `${begun} of ${nodes.length} begun`,
      icon: "code",
      collapsed: true,
      children: [
        ...curriculum.tracks
          .filter((track) => track.language === language)
          .flatMap((track) =>
            section(
              track.id,
              track.title,
              track.nodes.flatMap((id) => byId.get(id) ?? []),
            ),
          ),
        ...section(`rest ${language}`, "Other topics", nodes),
      ],
    });
  });
}

function nodeBranch(node: Node, titles: ReadonlyMap<string, string>): Branch {
  const { marks, words } = levelOf(node);
  const missing = node.missingPrerequisites.map((id) => titles.get(id) ?? id);
  const advice = missing.length === 0 ? "" : `builds on ${missing.join(", ")}`;
  return branch({
    // Learners' own topics may have the same id in several languages.
    id: `${node.language} ${node.id}`,
    label: node.title,
    description: joined(
      minutesText(node.minutes),
      node.due && "due for review",
      node.claimed && "you know this",
      node.offline ? "offline" : "needs a model",
      advice,
    ),
    marks,
    words,
    tooltip: joined(node.title, words, advice !== "" && `${advice}: start anyway`),
    icon: node.mastery >= 3 || node.claimed ? "pass-filled" : node.due ? "bell" : "circle-outline",
    kind: node.claimed ? "topic known" : "topic",
    command: ["tutorLsp.topic", node],
    subject: node,
  });
}

/** All sessions, newest first. */
export function sessionsTree(sessions: readonly ListedSession[], now: number): Branch[] {
  const open = new Set(openSessions(sessions).map(({ id }) => id));
  return sessions.map((session) =>
    branch({
      id: session.id,
      label: session.title,
      description: joined(
        session.language,
        progressText(session),
        agoText(session.updatedAt, now),
        attemptsText(session.attempts),
        session.passed && "passed",
        session.endedAt !== null && "ended",
        session.active && "active",
        session.missing && "folder is gone",
        session.folder,
      ),
      tooltip: session.workspace,
      icon: session.missing ? "circle-slash" : session.passed ? "pass" : "debug-continue",
      kind: open.has(session.id) ? "session open" : "session",
      subject: session.id,
      ...(session.missing ? {} : { command: ["tutorLsp.resume", session.id] }),
    }),
  );
}

function iconName(icon: string): string {
  return icon.replace(/^\$\(|\)$/g, "");
}
