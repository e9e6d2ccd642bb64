import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Before any test: what ships is built from the sources as they are now. */
export default function build(): void {
  const script = fileURLToPath(new URL("../../scripts/build.js", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: "inherit" });
}
