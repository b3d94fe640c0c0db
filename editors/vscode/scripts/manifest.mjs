// Texts of package.json, which stand in package.nls.json and are `%key%` in package.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Properties of contributions whose values are read by people. */
const SHOWN = new Set([
  "category",
  "contents",
  "contextualTitle",
  "deprecationMessage",
  "description",
  "detail",
  "displayName",
  "enumDescriptions",
  "label",
  "markdownDeprecationMessage",
  "markdownDescription",
  "markdownEnumDescriptions",
  "name",
  "shortTitle",
  "title",
]);
/** Parts of a manifest with texts. */
const PARTS = ["displayName", "description", "capabilities", "contributes"];
/** Properties that hold values, whatever they are called inside. */
const VALUES = new Set(["default", "enum", "items", "when", "command", "icon", "media"]);
/** What is the same everywhere gets one key. */
const ONCE = new Set(["category"]);

export function readManifest(root) {
  return [
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")),
  ];
}

/** The manifest with the texts in their places; what has no text stays a key. */
export function resolved(manifest, texts) {
  const put = (value) => {
    if (typeof value === "string") {
      const key = /^%([^%\s]+)%$/.exec(value)?.[1];
      return key === undefined ? value : (texts[key] ?? value);
    }
    if (Array.isArray(value)) {
      return value.map(put);
    }
    return value !== null && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, put(of)]))
      : value;
  };
  return put(manifest);
}

/** `[manifest, texts]` of a manifest with its texts: keys say where a text stands. */
export function externalized(manifest) {
  const texts = {};
  const keyed = (text, path) => {
    const base = ONCE.has(path.at(-1)) ? path.at(-1) : path.join(".");
    let key = base;
    for (let again = 2; key in texts && texts[key] !== text; again += 1) {
      key = `${base}.${again}`;
    }
    texts[key] = text;
    return `%${key}%`;
  };
  const walk = (value, path, shown) => {
    if (typeof value === "string") {
      return shown && /\p{L}/u.test(value) ? keyed(value, path) : value;
    }
    if (Array.isArray(value)) {
      return value.map((of, at) => walk(of, [...path, named(of) ?? String(at + 1)], shown));
    }
    if (value === null || typeof value !== "object") {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, of]) => [
        key,
        VALUES.has(key) ? of : walk(of, [...path, key], SHOWN.has(key)),
      ]),
    );
  };
  const found = Object.entries(manifest).map(([key, of]) => {
    return [key, PARTS.includes(key) ? walk(of, key === "contributes" ? [] : [key], SHOWN.has(key)) : of];
  });
  return [Object.fromEntries(found), texts];
}

/** What an element of a list is called there. */
function named(value) {
  return value?.command ?? value?.id ?? value?.view;
}
