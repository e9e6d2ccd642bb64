import { execFile } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { HANG } from "../setup/hang.ts";

const program = join(import.meta.dirname, "node_modules", "@redocly", "cli", "bin", "cli.js");

/** A finding of the linter. The place is a JSON pointer (`#/paths/~1v1…`). */
export interface Finding {
  readonly rule: string;
  readonly severity: "error" | "warn";
  readonly message: string;
  readonly pointer: string;
}

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: "error" | "warn";
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

function isReport(value: unknown): value is Report {
  return typeof value === "object" && value !== null && "problems" in value && Array.isArray(value.problems);
}

/** Runs the linter. Returns its report as text; the exit status says only whether there are findings. */
function run(file: string, options: readonly string[]): Promise<string> {
  return new Promise((give, reject) => {
    execFile(
      process.execPath,
      [program, "lint", file, "--format", "json", "--max-problems", "100000", ...options],
      {
        // The linter would read a redocly.yaml in the working folder, so that folder is the one of the file.
        cwd: dirname(file),
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
        maxBuffer: 64 * 1024 * 1024,
        timeout: HANG,
      },
      (error, output, messages) => {
        if (output.trimStart().startsWith("{")) give(output);
        else reject(new Error(`The linter gave no report on ${file}: ${messages}`, { cause: error }));
      },
    );
  });
}

/**
 * Lints an OpenAPI file with Redocly's recommended rules except `skip`. Throws if the linter fails or takes more than
 * 30 seconds.
 */
export async function lintOpenapi(file: string, skip: readonly string[] = []): Promise<Finding[]> {
  const skipped = skip.flatMap((rule) => ["--skip-rule", rule]);
  const report: unknown = JSON.parse(await run(resolve(file), ["--extends", "recommended", ...skipped]));
  if (!isReport(report)) throw new Error("The linter's report has no list of problems.");
  return report.problems.map(({ ruleId, severity, message, location }) => ({
    rule: ruleId,
    severity,
    message,
    pointer: location[0]?.pointer ?? "#",
  }));
}
