import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/**
 * A Vite plugin that puts beside each script and style a file `.gz`, which the server sends to browsers, and prints their
 * size. It fails the build if they have more than `most` bytes together.
 */
export function compressed(most: number): Plugin {
  return {
    name: "rolebook-compressed",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        let bytes = 0;
        for (const file of Object.values(bundle).filter(({ fileName }) => /\.(?:js|css)$/.test(fileName))) {
          const source = gzipSync(file.type === "chunk" ? file.code : file.source, { level: 9 });
          bytes += source.length;
          this.emitFile({ type: "asset", fileName: `${file.fileName}.gz`, source });
        }
        const said = `${bytes.toLocaleString("en")} of ${most.toLocaleString("en")} bytes of gzip`;
        this.info(said);
        if (bytes > most) this.error(`Script and style are over their budget: ${said}.`);
      },
    },
  };
}
