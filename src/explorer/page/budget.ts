import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** The largest sizes of the page's files, in bytes after gzip. */
export interface Budget {
  readonly js: number;
  readonly css: number;
  readonly all: number;
}

/** A Vite plugin that prints the size of the page, and fails the build if a size is above its limit. */
export function budget(most: Budget): Plugin {
  return {
    name: "rolebook-budget",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const weight = { js: 0, css: 0, all: 0 };
        for (const file of Object.values(bundle)) {
          const bytes = gzipSync(file.type === "chunk" ? file.code : file.source).length;
          if (file.fileName.endsWith(".js")) weight.js += bytes;
          if (file.fileName.endsWith(".css")) weight.css += bytes;
          weight.all += bytes;
        }
        const lines = (["js", "css", "all"] as const).map(
          (kind) => `${kind} ${weight[kind].toLocaleString("en")} of ${most[kind].toLocaleString("en")}`,
        );
        this.info(`bytes of gzip: ${lines.join(", ")}`);
        if (weight.js > most.js || weight.css > most.css || weight.all > most.all)
          this.error(`The page is over its budget: ${lines.join(", ")} bytes of gzip.`);
      },
    },
  };
}
