import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Runs before all tests, and builds dist/program from the current sources. */
export default function build(): void {
  const script = fileURLToPath(new URL("../../scripts/build.js", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: "inherit" });
}
