// What is said after an attempt, and where its review points. Pure.
import { reportText } from "./messages";
import type { AttemptResult, CounterExample, Place, Review } from "./protocol";

/** An attempt in a few sentences: tests, review, what it did for the learner's record. */
export function attemptText(result: AttemptResult): string {
  const { report, review, reviewError, mastery, note } = result;
  if (result.attempt === null && report.outcome === "build_error" && typeof note === "string") {
    return note;
  }
  const said = [];
  if (review?.verdict === "PASS") {
    said.push(`Done: ${lower(reportText(report))}`, `Score ${review.score} of 100.`);
  } else if (report.outcome === "passed" && review !== null) {
    said.push(`Not yet: ${openCase(result, review)}`);
  } else if (report.outcome === "failed") {
    said.push(`Not yet: ${lower(reportText(report))}`);
  } else {
    said.push(reportText(report));
  }
  if (reviewError !== null) {
    said.push(`The review is missing (${reviewError}); attempting again asks for it.`);
  }
  if (mastery.after !== mastery.before) {
    said.push(`Your level here: ${mastery.before} → ${mastery.after}.`);
  }
  if (typeof note === "string" && note !== "") {
    said.push(note);
  }
  return said.join(" ");
}

/** Why a run whose tests all pass is not there yet: the case that was tried and went wrong. */
function openCase({ report }: AttemptResult, { counterExample, summary }: Review): string {
  return counterExample === null || counterExample === undefined
    ? lower(summary)
    : `${lower(reportText(report)).replace(/\.$/, "")}, but ${caseText(counterExample)}`;
}

/** An input that was tried on the learner's code, with what it should give. */
export function caseText({ setup, call, expected, gave }: CounterExample): string {
  const after = setup.length === 0 ? "" : `after ${setup.join("; ")}, `;
  // A clause on how it ended begins with a backtick, which messages would show.
  return gave.startsWith("`")
    ? `${after}${gave.replaceAll("`", "")}; expected ${expected}.`
    : `${after}${call} gave ${gave}, expected ${expected}.`;
}

export type AttemptOffer =
  | { title: string; then: "next" | "hint" }
  | { title: string; then: "improve"; at: Place }
  | { title: string; then: "stub"; unit: string };

/** What can be done after an attempt. */
export function attemptOffers({ review, report, next }: AttemptResult): AttemptOffer[] {
  const offers: AttemptOffer[] = [];
  if (review?.verdict === "PASS") {
    if (next[0] !== undefined) {
      offers.push({ title: `Next: ${next[0].title}`, then: "next" });
    }
    if (review.improvementAt) {
      offers.push({ title: "What to Improve", then: "improve", at: review.improvementAt });
    }
    return offers;
  }
  if (review?.counterExample) {
    return [{ title: "Go There", then: "stub", unit: review.counterExample.unit }];
  }
  return report.outcome === "failed" ? [{ title: "Hint", then: "hint" }] : [];
}

/** First and last 1-based line of a place in a text that may have moved since it was quoted. */
export function linesOf(text: string, place: Place): [first: number, last: number] {
  const length = place.endLine - place.line;
  const first = place.quote.split("\n")[0]?.trim() ?? "";
  const lines = text.split(/\r\n|\r|\n/);
  const near = lines
    .map((line, index) => ({ line: line.trim(), at: index + 1 }))
    .filter(({ line }) => first !== "" && line.includes(first))
    .sort((a, b) => Math.abs(a.at - place.line) - Math.abs(b.at - place.line));
  const at = Math.min(near[0]?.at ?? place.line, lines.length);
  return [at, Math.min(at + length, lines.length)];
}

/** The first 1-based line in which two texts differ; none where only their line ends do. */
export function differsAt(text: string, other: string): number | undefined {
  const [lines, others] = [text, other].map((each) => each.split(/\r\n|\r|\n/)) as [string[], string[]];
  const longest = Math.max(lines.length, others.length);
  const at = Array.from({ length: longest }).findIndex((_, index) => lines[index] !== others[index]);
  return at === -1 ? undefined : at + 1;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
