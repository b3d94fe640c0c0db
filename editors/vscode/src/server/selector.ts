// Which files of a window are the server's, whatever VS Code calls their language.
import { pathToFileURL } from "node:url";
import { type Exists, exerciseRoot, isHome } from "../window/paths";

export interface Sources {
  scheme: string;
  /** The folder stands apart: in a pattern a bracket in its name would have a meaning. */
  pattern: { baseUri: string; pattern: string };
}

/** The sources of the exercise around a folder, or of those in the tutor's home. */
export function sourcesIn(folder: string, exists: Exists): Sources[] {
  const sources = (top: string, pattern: string): Sources[] => {
    return [{ scheme: "file", pattern: { baseUri: pathToFileURL(top).href, pattern } }];
  };
  const root = exerciseRoot(folder, exists);
  if (root !== undefined) {
    return sources(root, "{src,tests}/**");
  }
  return isHome(folder, exists) ? sources(folder, "**/{src,tests}/**") : [];
}
