// The doctor's findings as a page: what is to be mended first, with a button for each way. Pure.
import type { CommandForm } from "../commands/commandNames";
import type { Diagnosis, Said, ToolStatus } from "../server/protocol";
import { buttonsOf, commandLink, type Mend } from "./mends";
import { t } from "../words/words";

const STYLE = /* not shown */ `
body { padding: 0 1.5em 2em; line-height: 1.5; max-width: 52em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 1.6em; } h3 { font-size: 1em; margin: 0; }
ul { list-style: none; padding: 0; margin: 0; }
li { padding: 0.5em 0; border-bottom: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent)); }
p { margin: 0.2em 0; } dt { font-weight: 600; } dd { margin: 0 0 0.5em; overflow-wrap: anywhere; }
.version { color: var(--vscode-descriptionForeground); font-weight: normal; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5em; margin: 0.5em 0; }
.buttons a { padding: 0.2em 0.8em; border-radius: 2px; text-decoration: none; overflow-wrap: anywhere;
  color: var(--vscode-button-foreground); background: var(--vscode-button-background);
  border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); }
.buttons a:hover { background: var(--vscode-button-hoverBackground); }
.buttons a:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;

/** The page loads nothing and runs no script. */
const HEAD = /* not shown */ `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;

const everywhere = (): Mend[] => [
  { title: t`Check Again`, link: commandLink("tutorLsp.doctor") },
  { title: t`Restart Server`, link: commandLink("tutorLsp.restart") },
  { title: t`Show Log`, link: commandLink("tutorLsp.showLog") },
  { title: t`Open Settings`, link: commandLink("tutorLsp.setting", "tutor.") },
];

/** The page, which needs no script and loads nothing; `language` is that of its texts. */
export function doctorPage(diagnosis: Said<Diagnosis>, form: CommandForm, language = "en"): string {
  const { tools, problems, say } = diagnosis;
  const broken = tools.filter(({ works }) => !works);
  const [models, others] = [broken.filter(({ optional }) => optional), broken.filter(({ optional }) => !optional)];
  const ofProblems = problems.map((text) => item("", "", text, buttonsOf(mendsOf(diagnosis, text), form)));
  const toMend = [...ofProblems, ...others.map((tool) => row(tool, form))];
  const body = [
    `<h1>${escaped(say.title)}</h1>`,
    `<p>${toMend.length === 0 ? t`Everything that exercises need works.` : ""}</p>`,
    buttons(everywhere()),
    section(t`To mend`, toMend),
    section(t`What works`, tools.filter(({ works }) => works).map((tool) => row(tool, form))),
    section(t`Models that are not set up, which nobody needs for the library`, models.map((tool) => row(tool, form))),
    `<h2>${escaped(t`Where things are`)}</h2>`,
    facts(diagnosis),
  ];
  const main = element("main", "", body.join("\n"));
  return /* not shown */ `<!DOCTYPE html><html lang="${escaped(language)}"><head>${HEAD}<title>${escaped(say.title)}</title><style>${STYLE}</style></head><body>${main}</body></html>`;
}

function element(name: string, kind: string, html: string): string {
  return `<${name} class="${kind}">${html}</${name}>`;
}

/** The commands that the page's buttons run: no others need be allowed. */
export function commandsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/href="command:([\w.]+)/g)].map(([, command = ""]) => command))];
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? "" : `<h2>${escaped(title)}</h2><ul>${rows.join("\n")}</ul>`;
}

/** What the server offers for a problem; one of an earlier version offers nothing. */
function mendsOf({ remedies = [] }: Partial<Diagnosis>, problem: string): ToolStatus["mends"] {
  return remedies.filter(({ message }) => message === problem).map(({ mend }) => mend);
}

function row({ name, version, works, found, remedy, mends }: ToolStatus, form: CommandForm): string {
  const more = version ?? (found ? "" : t`not found`);
  return item(name, more, works ? "" : (remedy ?? t`It does not work.`), buttonsOf(mends, form));
}

function item(name: string, more: string, text: string, mends: readonly Mend[]): string {
  const version = more === "" ? "" : ` ${element("span", "version", escaped(more))}`;
  const head = name === "" ? "" : `<h3>${escaped(name)}${version}</h3>`;
  const said = text === "" ? "" : `<p>${withCode(text.charAt(0).toUpperCase() + text.slice(1))}</p>`;
  return `<li>${head}${said}${buttons(mends)}</li>`;
}

function buttons(mends: readonly Mend[]): string {
  const links = mends.map(({ title, link }) => `<a href="${escaped(link)}">${escaped(title)}</a>`);
  return links.length === 0 ? "" : element("div", "buttons", links.join("\n"));
}

function facts({ home, exercises, sessions, executable }: Diagnosis): string {
  const rows = { [t`Exercises`]: exercises, [t`Sessions`]: sessions, [t`Home`]: home, Python: executable };
  const all = Object.entries(rows).map(([name, value]) => {
    return `<dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd>`;
  });
  return `<dl>${all.join("")}</dl>`;
}

function withCode(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
