import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "build/", "node_modules/", "src/interface/"] },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "no-console": "error",
    },
  },
  {
    files: ["test/**/*.ts", "e2e/**/*.ts"],
    // node:test's own functions return promises that its runner awaits.
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  {
    files: ["scripts/*"],
    languageOptions: {
      globals: {
        console: "readonly",
        process: "readonly",
        globalThis: "readonly",
        require: "readonly",
      },
    },
  },
  {
    files: ["media/*.js"],
    languageOptions: {
      globals: {
        addEventListener: "readonly",
        document: "readonly",
        sessionStorage: "readonly",
        setTimeout: "readonly",
      },
    },
  },
);
