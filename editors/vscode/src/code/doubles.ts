// Whether another tool reports an error that the server reports as well. Pure.

/** An error as any tool reports it, with zero-based lines. */
export interface Reported {
  source: string | undefined;
  first: number;
  last: number;
}

/** Sources of compilers and language servers: one that has an error in a file has read all of it. */
const READERS: ReadonlySet<string> = new Set([
  "rustc",
  "rust-analyzer",
  "clippy",
  "pylance",
  "pyright",
  "basedpyright",
  "ruff",
  "clang",
  "clangd",
  "ccls",
  "c/c++",
]);

/** Whether a build error at `ours` is shown by one of those that reported `others` on its file. */
export function isShownByOthers(ours: Reported, others: readonly Reported[]): boolean {
  return others.some(({ source, first, last }) => {
    const reader = READERS.has(source?.toLowerCase() ?? "");
    return reader || (first <= ours.last && ours.first <= last);
  });
}
