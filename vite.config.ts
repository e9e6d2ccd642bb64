import { defineConfig } from "vite";
import { compressed } from "./src/explorer/page/compressed.ts";

/** Builds the explorer page. Everything is addressed relatively, so a proxy may serve it below a path. */
export default defineConfig({
  root: "src/explorer/page",
  base: "./",
  publicDir: false,
  build: {
    outDir: "../../../dist/explorer",
    emptyOutDir: true,
    target: "es2022",
    // What the style uses: `light-dark()`, `:has()` and nesting.
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    // Data URLs would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  // Calls of `h` compress better than those of the automatic runtime.
  oxc: {
    jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
    jsxInject: `import { Fragment, h } from "preact"`,
  },
  plugins: [compressed(75_000)],
});
