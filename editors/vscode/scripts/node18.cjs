// vsce's HTTP library expects the global `File`, which Node 18 only has in node:buffer.
globalThis.File ??= require("node:buffer").File;
