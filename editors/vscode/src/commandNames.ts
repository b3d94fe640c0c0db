// The server names commands as the protocol does; here they have the names of the palette. Pure.

/** Titles in the palette, without what stands in parentheses there. */
export const TITLES: Readonly<Record<string, string>> = {
  start: "Start Exercise",
  next: "Next Exercise",
  check: "Check",
  attempt: "Attempt",
  hint: "Hint",
  ask: "Ask about This Code",
  review: "Show Last Review",
  reveal: "Reveal Solution of This Step",
  compare: "Compare with the Reference",
  reset: "Reset to the Stubs",
  restore: "Put Tests and Lesson Back as Given",
  status: "Status",
  curriculum: "Curriculum",
  sessions: "Sessions",
  // A list to choose from, which needs no id.
  resume: "Sessions",
  end: "End Session",
  report: "Progress Report",
  cancel: "Cancel What Is Running",
  doctor: "Doctor",
};

/** A sentence of the server in the words of the palette: `tutor.start` as "Tutor: Start Exercise". */
export function inPalette(text: string): string {
  return text.replace(
    /(?<![\w/.-])tutor\.([a-z]+)(?:(?<=resume) [0-9a-f]{8}\b)?(?!\w|\.\w)/g,
    (name, verb: string) => {
      const title = Object.hasOwn(TITLES, verb) ? TITLES[verb] : undefined;
      return title === undefined ? name : `"Tutor: ${title}"`;
    },
  );
}
