// The learning report in the editor's own colours. Pure.

/** The page's variables, each by the colour of the editor that takes its place. */
const COLOURS: Readonly<Record<string, string>> = {
  ink: "editor-foreground",
  soft: "descriptionForeground",
  line: "descriptionForeground",
  paper: "editor-background",
  fill: "editorWidget-background",
  mark: "textLink-foreground",
};

/** A page of the server with the colours of the editor, whose theme need not be the system's. */
export function themed(html: string): string {
  const colours = Object.entries(COLOURS).map(([name, own]) => `--${name}:var(--vscode-${own})`);
  return html.replace("</head>", `<style>:root{${colours.join(";")}}</style></head>`);
}
