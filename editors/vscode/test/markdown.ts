// What the editor's Markdown preview does with the extension's part in it.
type Rule = (...args: unknown[]) => string;

/** What `activate` gives. */
export interface Exports {
  extendMarkdownIt(markdown: object): { renderer: { rules: { heading_open: Rule } } };
}

/** The heading that the preview of `file` is turned to, of those that it has. */
export function turnedTo(exported: Exports, file: string, headings: string[]): string | undefined {
  const marked: string[] = [];
  const tokens = headings.flatMap((content) => [
    { content: "", attrSet: (name: string) => name.endsWith("turn") && marked.push(content) },
    { content },
  ]);
  const { rules } = exported.extendMarkdownIt({ renderer: { rules: {} } }).renderer;
  const self = { renderToken: () => "" };
  const env = { currentDocument: { fsPath: file } };
  headings.forEach((_, index) => rules.heading_open(tokens, index * 2, {}, env, self));
  return marked.join(" and ") || undefined;
}
