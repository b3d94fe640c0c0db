// What the server reports on files, as it is shown: no build error that another tool reports on the
// same file.
import * as vscode from "vscode";
import { isShownByOthers, type Reported } from "./doubles";
import { codeOf } from "./errorCodes";

const SOURCE = "tutor";
const BUILD_ERROR = "build-error";

type Show = (uri: vscode.Uri, diagnostics: vscode.Diagnostic[]) => void;

/** What the server said last of a file with a build error. */
interface Told {
  all: vscode.Diagnostic[];
  /** How many of them are shown. */
  shown: number;
  show: Show;
}

export class Diagnostics implements vscode.Disposable {
  private readonly told = new Map<string, Told>();
  private readonly listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      const { all = [], shown = 0, show } = this.told.get(uri.toString()) ?? {};
      // What is shown here changes the diagnostics, too.
      if (show && this.worthShowing(uri, all).length !== shown) {
        this.handle(uri, all, show);
      }
    }
  });

  /** `showsAll`: the learner has asked for build errors in any case. */
  constructor(private readonly showsAll: () => boolean) {}

  dispose(): void {
    this.listening.dispose();
    this.told.clear();
  }

  /** Middleware `handleDiagnostics`. */
  handle(uri: vscode.Uri, diagnostics: vscode.Diagnostic[], show: Show): void {
    const shown = this.worthShowing(uri, diagnostics);
    if (diagnostics.some(isBuildError)) {
      this.told.set(uri.toString(), { all: diagnostics, shown: shown.length, show });
    } else {
      this.told.delete(uri.toString());
    }
    show(uri, shown);
  }

  private worthShowing(uri: vscode.Uri, all: vscode.Diagnostic[]): vscode.Diagnostic[] {
    if (!all.some(isBuildError) || this.showsAll()) {
      return all;
    }
    const others = vscode.languages
      .getDiagnostics(uri)
      .filter(({ source, severity }) => {
        return source !== SOURCE && severity === vscode.DiagnosticSeverity.Error;
      })
      .map(reported);
    return all.filter((own) => !isBuildError(own) || !isShownByOthers(reported(own), others));
  }
}

function isBuildError({ code }: vscode.Diagnostic): boolean {
  return codeOf(code) === BUILD_ERROR;
}

function reported({ source, range }: vscode.Diagnostic): Reported {
  return { source, first: range.start.line, last: range.end.line };
}
