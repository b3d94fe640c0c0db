// The settings that give code and lesson the room, kept in an exercise's own folder, and what is done
// to those that are there. A value of the learner's is never changed. Pure.
import { t } from "../words/words";

/** Settings by key, as they stand in a folder's settings.json. */
export type Settings = Readonly<Record<string, unknown>>;

/** In every exercise window that the tutor arranges. */
export function focused(): Settings {
  return {
    "editor.minimap.enabled": false,
    "breadcrumbs.enabled": false,
    "editor.stickyScroll.enabled": false,
    "files.exclude": { "**/.tutor": true, "**/.vscode": true },
    // What is read beside the code is called by what it is, and its buttons are there while one types.
    "workbench.editor.customLabels.patterns": {
      "**/LESSON.md": t`Lesson`,
      "**/.tutor/coach.md": t`Hints and reviews`,
    },
    "workbench.editor.alwaysShowEditorActions": true,
  };
}

/** Where the learner has not said how long lines are shown. */
export const WRAPPED: Settings = { "editor.wordWrap": "on" };

function isParts(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What changes where `wanted` is added to `there`, and what is ours then. */
export interface Added {
  changes: Settings;
  ours: Settings;
}

/**
 * Adds settings to those of a folder. What was `ours` once is not set again: the learner has taken it
 * away, or put something else in its place. Of settings that have parts, single ones are added.
 */
export function added(wanted: Settings, there: Settings, ours: Settings): Added {
  const changes: Record<string, unknown> = {};
  const own: Record<string, unknown> = { ...ours };
  for (const [key, value] of Object.entries(wanted)) {
    const now = there[key];
    if (isParts(value) && (now === undefined || isParts(now))) {
      const before = isParts(ours[key]) ? ours[key] : {};
      const more = Object.entries(value).filter(([part]) => !(part in (now ?? {})) && !(part in before));
      if (more.length > 0) {
        changes[key] = { ...now, ...Object.fromEntries(more) };
        own[key] = { ...before, ...Object.fromEntries(more) };
      }
    } else if (now === undefined && !(key in ours)) {
      changes[key] = value;
      own[key] = value;
    }
  }
  return { changes, ours: own };
}

/**
 * What changes where `ours` is taken out of a folder's settings: undefined for those that go. What
 * has another value by now is the learner's.
 */
export function takenBack(there: Settings, ours: Settings): Settings {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(ours)) {
    const now = there[key];
    if (isParts(value) && isParts(now)) {
      const kept = Object.entries(now).filter(([part, each]) => each !== value[part]);
      if (kept.length < Object.keys(now).length) {
        changes[key] = kept.length === 0 ? undefined : Object.fromEntries(kept);
      }
    } else if (now === value) {
      changes[key] = undefined;
    }
  }
  return changes;
}
