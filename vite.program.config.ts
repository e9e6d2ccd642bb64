import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;

/**
 * Builds the program, with the packages that it runs on, into a few files: they start in a third of the time of some
 * 400. They are CommonJS because Node loads more of itself for modules that import it, such as all of its HTTP client.
 */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    // As deep as src/cli: what the program finds beside itself it finds from here too.
    outDir: "dist/program",
    emptyOutDir: true,
    target: "node26",
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: { main: "src/cli/main.ts" },
      output: { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" },
    },
  },
  plugins: [sources()],
});

/**
 * Notes what the program was built from, and how each file was: `bin/rolebook.js` runs it only as long as that holds.
 * Of the packages the lock file counts.
 */
function sources(): Plugin {
  return {
    name: "sources",
    generateBundle() {
      const own = [...this.getModuleIds()].filter((id) => isAbsolute(id) && !id.includes("node_modules"));
      const files = [...own, import.meta.filename, join(root, "package-lock.json")];
      const noted = files.map((file) => {
        return [relative(root, file), statSync(file).mtimeMs, hash("sha256", readFileSync(file))];
      });
      this.emitFile({ type: "asset", fileName: "sources.json", source: JSON.stringify(noted) });
    },
  };
}
