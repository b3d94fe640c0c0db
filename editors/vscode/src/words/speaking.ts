// Imported first: texts may be used as soon as a file is loaded.
import * as vscode from "vscode";
import { speak } from "./words";

speak((text, ...values) => vscode.l10n.t(text, ...values));
