// What can be done after an attempt, and where its review points. Pure.
import type { AttemptResult, Place } from "../server/protocol";
import { t } from "../words/words";

/** A button that runs a command of the extension. */
export interface AttemptOffer {
  title: string;
  id: string;
  argument?: object;
}

/** What can be done after an attempt. */
export function attemptOffers({ review, report, next: [next] }: AttemptResult): AttemptOffer[] {
  if (review?.verdict === "PASS") {
    const at = review.improvementAt;
    return [
      ...(next ? [{ title: t`Next: ${next.title}`, id: "tutorLsp.next" }] : []),
      ...(at ? [{ title: t`What to Improve`, id: "tutorLsp.place", argument: at }] : []),
    ];
  }
  if (review?.counterExample) {
    const { unit } = review.counterExample;
    return [{ title: t`Go There`, id: "tutorLsp.openStub", argument: { unit } }];
  }
  return report.outcome === "failed" ? [{ title: t`Hint`, id: "tutorLsp.hint" }] : [];
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
