import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { USUAL_SEED } from "../seed/seed.ts";
import type { Fault } from "./fault.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const LINKED = ["node_modules", "test/parts/node_modules"];
/** The time limit of one run of tests, in milliseconds. */
const LONGEST = 10 * 60_000;

/** The result of one test. `status` is `passed`, `failed` or another word of vitest. */
export interface Outcome {
  readonly status: string;
  /** The messages of the test's failures. */
  readonly said: string;
}

/** A copy of the last commit in its own folder, so that faults never touch the working tree. */
export class Tree {
  readonly #folder = mkdtempSync(join(tmpdir(), "rolebook-faults-"));
  readonly #report = join(this.#folder, "report.json");

  constructor() {
    const commit = execFileSync("git", ["archive", "HEAD"], { cwd: ROOT, maxBuffer: 1 << 30 });
    execFileSync("tar", ["-x", "-C", this.#folder], { input: commit });
    for (const folder of LINKED) symlinkSync(join(ROOT, folder), join(this.#folder, folder));
  }

  /** Applies a fault. Returns git's message if it does not apply. */
  putIn({ patch }: Fault): string | undefined {
    return this.#apply(patch);
  }

  /** Reverts a fault. Throws if that fails. */
  takeOut({ patch }: Fault): void {
    const against = this.#apply(patch, "--reverse");
    if (against !== undefined) throw new Error(against);
  }

  #apply(patch: string, ...options: string[]): string | undefined {
    const { status, stdout, stderr } = spawnSync("git", ["apply", "-C1", ...options, patch], {
      cwd: this.#folder,
      encoding: "utf8",
    });
    return status === 0 ? undefined : `${stdout}${stderr}`.trim();
  }

  /** Runs only the tests of some faults. Keyed by {@link keyOf}; tests that did not end are absent. */
  async run(faults: readonly Fault[]): Promise<Map<string, Outcome>> {
    rmSync(this.#report, { force: true });
    const files = [...new Set(faults.map(({ file }) => file))];
    const names = `^(${faults.map(({ test }) => escaped(test)).join("|")})$`;
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const options = ["--config", "test/faults/vitest.config.ts", "-t", names];
    const report = ["--reporter=json", `--outputFile=${this.#report}`];
    const child = spawn(process.execPath, [vitest, "run", ...options, ...report, ...files], {
      cwd: this.#folder,
      env: { TEST_SEED: String(USUAL_SEED), ...process.env },
      timeout: LONGEST,
      stdio: "ignore",
    });
    await once(child, "exit");
    return this.#outcomes();
  }

  #outcomes(): Map<string, Outcome> {
    // vitest wrote no report, because the tests took too long.
    if (!existsSync(this.#report)) return new Map();
    const { testResults }: Report = JSON.parse(readFileSync(this.#report, "utf8"));
    return new Map(
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ ancestorTitles, title, status, failureMessages }): [string, Outcome] => [
          `${name.slice(this.#folder.length + 1)} > ${[...ancestorTitles, title].join(" > ")}`,
          { status, said: failureMessages.join("\n") },
        ]),
      ),
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The used part of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The key of a fault's test. */
export function keyOf({ file, test }: Fault): string {
  return `${file} > ${test}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
