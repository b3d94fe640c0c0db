// The texts of the extension's sources: those that are translated (by the tag `t` of src/words/words.ts), and
// those that look as if they were shown, but are not translated. A comment `not shown` before a text
// says that it is not for the user.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Properties whose values are read by people. */
const SHOWN = new Set(
  "detail description label message justification name placeHolder prompt title tooltip".split(" "),
);
/** Properties and calls whose texts are all read by people, single words without a capital included. */
const SAID = new Set("words whole".split(" "));
const SAYING = /(^|\.)(step|tell|setStatusBarMessage|show(Information|Warning|Error)Message)$/;
/** Calls whose arguments are not shown: logs, faults of our own, ids. */
const SILENT = /(^|\.)(log(\.\w+)?|(Range|Type|Syntax)?Error|RegExp|createOutputChannel|getConfiguration|executeCommand|register\w+|startsWith|endsWith|includes|get|has|headingFrom)$/;
/** Words between parts of the extension, which only look like a text. */
const INTERNAL = new Set([
  "new window",
  "session open",
  "this window",
  "topic known",
  "trust explained",
]);
/** Names that are the same in every language. */
const NAMES = /^(Tutor|Python|VS Code|Error Lens|Pylance|Canceled|Code|[A-Z][A-Za-z]+\.md)$/;

const isText = (node) => ts.isStringLiteral(node) || ts.isTemplateLiteral(node);
const isSum = (node) =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** The words of a text, or of a sum of texts; values are left out. */
function words(node) {
  if (isSum(node)) {
    return words(node.left) + words(node.right);
  }
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => ` ${literal.text}`).join("");
  }
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? node.text : "";
}

function isShown(node, said) {
  const bare = said.replace(/\$\([\w~-]+\)/g, "").replace(/^\s*Tutor( ·|:) */, "").trim();
  if (NAMES.test(bare) || INTERNAL.has(bare) || !/[A-Za-z]{2}/.test(bare)) {
    return false;
  }
  const { parent } = node;
  // A program of another language.
  if (/^import /.test(bare)) {
    return false;
  }
  if (/[A-Za-z’']{2,}[,.:;]? (\(|“|")?[A-Za-z]{2,}/.test(bare) || /^[A-Z][a-z]*\b.* /.test(bare)) {
    return true;
  }
  if (ts.isPropertyAssignment(parent) && SAID.has(parent.name.getText())) {
    return true;
  }
  if (ts.isCallExpression(parent) && SAYING.test(parent.expression.getText())) {
    return true;
  }
  if (ts.isPropertyAssignment(parent) && SHOWN.has(parent.name.getText())) {
    return /^[A-Z][a-z]+/.test(bare);
  }
  // A word with a capital, as a button has it.
  return /^[A-Z][a-z]+$/.test(bare) && (ts.isCallExpression(parent) || ts.isArrayLiteralExpression(parent));
}

/** Whether a node lies in what nobody is shown. */
function isSilent(node, source) {
  const before = source.text.slice(node.getFullStart(), node.getStart(source));
  if (/not shown/.test(before)) {
    return true;
  }
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isTypeNode(at) || ts.isExpressionStatement(at)) {
      if (!ts.isExpressionStatement(at)) {
        return true;
      }
    }
    if (ts.isCallExpression(at) || ts.isNewExpression(at)) {
      if (SILENT.test(at.expression.getText(source))) {
        return true;
      }
    }
    if (ts.isBlock(at) || ts.isArrowFunction(at)) {
      return false;
    }
  }
  return false;
}

/**
 * Of one source: `translated`, the texts with the tag `t` as the catalogue has them, and `bare`, the
 * nodes of those that lack it.
 */
export function textsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const [translated, bare] = [[], []];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) === "t") {
      const { template } = node;
      const parts = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template.text]
        : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
      const said = parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join("");
      translated.push(said.replace(/\s*\n\s*/g, " "));
      if (ts.isTemplateExpression(template)) {
        template.templateSpans.forEach(({ expression }) => visit(expression));
      }
      return;
    }
    if ((isText(node) || isSum(node)) && !isSilent(node, source) && isShown(node, words(node))) {
      bare.push(node);
      if (isSum(node)) {
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { source, translated, bare };
}

/** The files below src/, but generated ones. */
export function sources(root) {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("generated"))
    .sort()
    .map((name) => [`src/${name}`, readFileSync(join(root, "src", name), "utf8")]);
}

const escaped = (text) =>
  text.replace(/[\\`]|\$\{/g, (mark) => `\\${mark}`).replace(/\n/g, "\\n");

/**
 * The text of a source with the tag `t` before every text that lacks it, sums as one text, and with its
 * import if that is needed.
 */
export function tagged(file, text) {
  const { source, bare, translated } = textsOf(file, text);
  const isIn = (node, other) => other.getStart(source) <= node.getStart(source) && node.end <= other.end;
  const outermost = (nodes) =>
    nodes
      .filter((node) => !nodes.some((other) => other !== node && isIn(node, other)))
      .sort((a, b) => b.pos - a.pos);
  /** Its source with each of `nodes` replaced; they are given last first. */
  const replaced = (node, nodes) => {
    const start = node.getStart(source);
    let said = text.slice(start, node.end);
    for (const one of nodes) {
      said = said.slice(0, one.getStart(source) - start) + written(one) + said.slice(one.end - start);
    }
    return said;
  };
  const partsOf = (node) => (isSum(node) ? [...partsOf(node.left), ...partsOf(node.right)] : [node]);
  const texts = (node) => {
    const found = [];
    const visit = (at) => {
      if (isText(at) || isSum(at)) {
        found.push(...(/[A-Za-z]{2}/.test(words(at)) ? [at] : []));
      } else {
        ts.forEachChild(at, visit);
      }
    };
    visit(node);
    return found.sort((a, b) => b.pos - a.pos);
  };
  const piece = (node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      return escaped(node.text);
    }
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(({ expression, literal }) => {
        const inner = outermost(bare.filter((one) => one !== node && isIn(one, expression)));
        return `\${${replaced(expression, inner)}}${escaped(literal.text)}`;
      });
      return escaped(node.head.text) + spans.join("");
    }
    const value = ts.isParenthesizedExpression(node) ? node.expression : node;
    return `\${${replaced(value, texts(value))}}`;
  };
  const written = (node) => {
    const line = text.slice(text.lastIndexOf("\n", node.getStart(source)) + 1);
    const indent = `\n${/^ */.exec(line)[0]}  `;
    const said = partsOf(node)
      .map(piece)
      .reduce((before, part) => (/\s$/.test(before) ? before.trimEnd() + indent : before) + part);
    return `t\`${said}\``;
  };
  const body = replaced(source, outermost(bare));
  const start = text.slice(0, source.getStart(source)) + body;
  const imported = /^import \{ t \} from "[./]+(words\/)?words";\n/m;
  if (bare.length + translated.length === 0) {
    return start.replace(imported, "");
  }
  if (imported.test(start)) {
    return start;
  }
  const up = "../".repeat(file.split("/").length - 2) || "./";
  const last = source.statements.filter(ts.isImportDeclaration).at(-1);
  const at = last?.end ?? source.getStart(source) - 1;
  return `${start.slice(0, at)}\nimport { t } from "${up}words/words";${start.slice(at)}`;
}
