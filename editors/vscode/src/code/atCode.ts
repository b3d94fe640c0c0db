// What a failure says stands at the code that it is about, behind the end of a line: no hover is needed
// to read it, and nothing that is typed is covered. Error Lens does the same for all diagnostics.
import * as vscode from "vscode";
import { codeOf } from "./errorCodes";
import { groupWidths } from "../window/arrange";
import { columnsIn } from "../window/columns";
import { home, place, type Stub, typedAfter, width } from "./placing";

const SOURCE = "tutor";
const ERROR_LENS = "usernamehw.errorlens";
/** How long (ms) to wait after a change for the next one. */
const REST_MS = 30;
/** How long (ms) until it is asked again whether another extension that is there runs. */
const STARTS_MS = 500;
/** Columns where the editor's width is not known. */
const COLUMNS = 80;

interface Failure {
  text: string;
  isError: boolean;
  stub: Stub;
}

/** The lines of the stub that a diagnostic is about, as the server sends them; else its own. */
function stubOf(diagnostic: vscode.Diagnostic): Stub {
  const { data } = diagnostic as { data?: { body?: { line: number; endLine: number } } };
  const { start, end } = diagnostic.range;
  const { body } = data ?? {};
  return body === undefined
    ? { name: start.line, first: start.line, last: Math.max(start.line, end.line) }
    : { name: start.line, first: body.line - 1, last: body.endLine - 1 };
}

function failuresOf(uri: vscode.Uri): Failure[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity, code }) => {
      const failed = severity <= vscode.DiagnosticSeverity.Warning;
      return source === SOURCE && failed && codeOf(code) !== "todo";
    })
    .map((diagnostic) => ({
      text: (diagnostic.message.split("\n")[0] ?? "").replaceAll("`", ""),
      isError: diagnostic.severity === vscode.DiagnosticSeverity.Error,
      stub: stubOf(diagnostic),
    }));
}

/** Whether Error Lens says it; undefined where it is there but does not run yet, of which nothing tells. */
function isSaidElsewhere(): boolean | undefined {
  const errorLens = vscode.extensions.getExtension(ERROR_LENS);
  return errorLens === undefined ? false : errorLens.isActive || undefined;
}

export class AtCode implements vscode.Disposable {
  private readonly kinds = {
    error: kind("editorError.foreground"),
    warning: kind("editorWarning.foreground"),
  };
  /** Where something was written in a document, latest first. */
  private readonly typed = new WeakMap<vscode.TextDocument, number[]>();
  /** Editors in which something is said. */
  private readonly said = new WeakSet<vscode.TextEditor>();
  private resting: NodeJS.Timeout | undefined;
  private readonly events: vscode.Disposable[] = [
    vscode.languages.onDidChangeDiagnostics(() => {
      this.soon();
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => {
      this.soon();
    }),
    vscode.window.onDidChangeTextEditorVisibleRanges(() => {
      this.soon();
    }),
    vscode.extensions.onDidChange(() => {
      this.soon();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      this.note(document, contentChanges);
      this.soon();
    }),
  ];

  dispose(): void {
    clearTimeout(this.resting);
    for (const each of [...this.events, ...Object.values(this.kinds)]) {
      each.dispose();
    }
  }

  private note(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    let typed: readonly number[] = this.typed.get(document) ?? [];
    for (const { range, text } of changes) {
      const lineEnds = text.split("\n").length - 1;
      typed = typedAfter(typed, { first: range.start.line, last: range.end.line, lineEnds });
    }
    this.typed.set(document, [...typed]);
  }

  private soon(ms = REST_MS): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.show(), ms);
  }

  private async show(): Promise<void> {
    const elsewhere = isSaidElsewhere();
    const shown = (): vscode.TextEditor[] =>
      vscode.window.visibleTextEditors.filter(({ document }) => document.uri.scheme === "file");
    const found = (editor: vscode.TextEditor): Failure[] =>
      elsewhere === true ? [] : failuresOf(editor.document.uri);
    // Asked for only where there is something to say.
    const widths = shown().some((editor) => found(editor).length > 0) ? await groupWidths() : undefined;
    for (const editor of shown()) {
      const failures = found(editor);
      // Most files are none of the tutor's, and may be large.
      if (failures.length > 0 || this.said.delete(editor)) {
        this.decorate(editor, failures, widths?.[(editor.viewColumn ?? 0) - 1]);
      }
    }
    if (elsewhere === undefined && shown().some((editor) => this.said.has(editor))) {
      this.soon(STARTS_MS);
    }
  }

  private decorate(editor: vscode.TextEditor, failures: readonly Failure[], room: number | undefined): void {
    const { document, options } = editor;
    const fontSize = vscode.workspace.getConfiguration("editor", document).get("fontSize", 14);
    const columns = room === undefined ? COLUMNS : columnsIn(room, fontSize);
    const tabSize = typeof options.tabSize === "number" ? options.tabSize : 4;
    const taken = Array.from({ length: document.lineCount }, (_, line) =>
      width(document.lineAt(line).text, tabSize),
    );
    const found = { error: [] as vscode.DecorationOptions[], warning: [] as vscode.DecorationOptions[] };
    for (const { text, isError, stub } of failures) {
      const at = home(stub, this.typed.get(document) ?? []);
      const said = place(text, at, stub, taken, columns);
      if (said.line >= document.lineCount) {
        continue;
      }
      // What is said behind one line takes the room of the next one.
      taken[said.line] = (taken[said.line] ?? 0) + said.text.length;
      const { end } = document.lineAt(said.line).range;
      found[isError ? "error" : "warning"].push({
        range: new vscode.Range(end, end),
        renderOptions: { after: { contentText: said.text } },
        ...(said.cut && { hoverMessage: new vscode.MarkdownString().appendText(text) }),
      });
    }
    editor.setDecorations(this.kinds.error, found.error);
    editor.setDecorations(this.kinds.warning, found.warning);
    if (failures.length > 0) {
      this.said.add(editor);
    }
  }
}

function kind(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), margin: "0 0 0 2ch", fontStyle: "italic" },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
}
