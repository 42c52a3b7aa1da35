/* Lints the page's script: ES modules in assets/js. `tests/run` installs eslint beside the venv if Node is there. */

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      "max-len": ["error", { code: 110 }],
      "prefer-const": ["error", { destructuring: "all" }],
      "no-var": "error",
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-shadow": "off",
    },
  },
];
