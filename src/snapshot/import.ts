import { CommandError } from "../domain/error.ts";
import type { Engine, Staging } from "../store/engine.ts";
import { violations } from "../store/import/checks.ts";
import { differences, isChange, type OrganizationChange } from "../store/import/difference.ts";
import { publish } from "../store/import/publish.ts";
import {
  createStaged,
  dropRepeatedUsers,
  fileAndLine,
  indexStaged,
  placeOf,
  StagedWriter,
} from "../store/import/staged.ts";
import { sweep } from "../store/import/sweep.ts";
import { statement } from "../store/engine.ts";
import { COUNT_ACCEPTS } from "./fields.ts";
import { inexactCount } from "./inexact.ts";
import { linesOf, UnreadableFile } from "./lines.ts";
import { Problems, show } from "./problem.ts";
import { repeatedKey } from "./repeated-key.ts";
import { stage } from "./rows.ts";
import { validate } from "./validate.ts";

export interface ImportOptions {
  /** Check and compare, change nothing. */
  readonly dryRun?: boolean;
  /** Go on although more than a fifth of an organization's members or permissions would be removed. */
  readonly allowRemovals?: boolean;
  /** Hears how far it has come. */
  readonly progress?: (step: ImportStep) => void;
}

export type ImportStep =
  | { readonly phase: "waiting" | "checking" | "comparing" | "publishing" }
  | { readonly phase: "reading"; readonly bytes: number }
  | { readonly phase: "writing"; readonly rows: number };

export interface ImportResult {
  readonly organizations: readonly OrganizationChange[];
  /** Users who are a member nowhere. */
  readonly ignoredUsers: number;
  /** Whether a new snapshot was made, or would have been. */
  readonly changed: boolean;
}

/**
 * Makes each organization that has its record in the files exactly what the files say (contract, section 8).
 * Throws a CommandError, with nothing changed, when a record is wrong or too much would be removed.
 */
export async function importFiles(
  engine: Engine,
  files: readonly string[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const report = options.progress ?? (() => {});
  return engine.importing(
    async (staging) => {
      await sweep(staging);
      await createStaged(staging);
      await read(staging, files, report);
      report({ phase: "checking" });
      await indexStaged(staging);
      await check(staging, files);
      await dropRepeatedUsers(staging);
      report({ phase: "comparing" });
      const organizations = await differences(staging);
      const changes = organizations.filter(isChange);
      const result = {
        organizations,
        ignoredUsers: await ignoredUsers(staging),
        changed: changes.length > 0,
      };
      if (options.allowRemovals !== true) refuseRemovals(changes);
      if (options.dryRun === true || changes.length === 0) return result;
      let rows = 0;
      await publish(engine, staging, changes, (more) => report({ phase: "writing", rows: (rows += more) }));
      return result;
    },
    () => report({ phase: "waiting" }),
  );
}

async function read(
  staging: Staging,
  files: readonly string[],
  report: (step: ImportStep) => void,
): Promise<void> {
  const problems = new Problems();
  const writer = new StagedWriter(staging);
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    const name = nameOf(file);
    try {
      for await (const { first, texts } of linesOf(file, (more) => (bytes += more))) {
        for (const [offset, text] of texts.entries()) {
          const record = parse(text);
          if (record === undefined) continue;
          if (typeof record === "string") {
            problems.add({ file: name, line: first + offset, message: record });
            continue;
          }
          const full = stage(writer, record, placeOf(index, first + offset));
          if (full !== undefined) await full;
        }
        report({ phase: "reading", bytes });
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.add({ file: name, line: error.line, message: error.message });
    }
  }
  if (problems.count > 0) throw new CommandError(`${problems}\nNothing was changed.`);
  await writer.end();
}

/** A record, what is wrong with the line, or nothing for a blank line. */
function parse(text: string | undefined): ReturnType<typeof validate> | undefined {
  if (text === undefined) return "the line is not UTF-8; accepted: UTF-8 text";
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `the line is ${show(text)}; accepted: one JSON object`;
  }
  const record = validate(value);
  if (typeof record === "string") return record;
  const key = repeatedKey(text, record);
  if (key !== undefined)
    return `${record.object} has the field ${show(key)} twice; accepted: each field once`;
  const inexact = inexactCount(text, record);
  if (inexact === undefined) return record;
  return `${record.object}.${inexact.field} is ${inexact.written.slice(0, 100)}; accepted: ${COUNT_ACCEPTS}`;
}

const COUNT = statement<[organizations: number]>(() => "SELECT count(*) FROM staged_organization");

async function check(staging: Staging, files: readonly string[]): Promise<void> {
  const { first, count } = await violations(staging);
  if (count > 0) {
    const problems = new Problems();
    for (const { place, field, value, accepted } of first) {
      const { file, line } = fileAndLine(place);
      const name = nameOf(files[file] ?? "");
      problems.add({ file: name, line, message: `${field} is ${show(value)}; accepted: ${accepted}` });
    }
    problems.addUnnamed(count - first.length);
    throw new CommandError(`${problems}\nNothing was changed.`);
  }
  const [row] = await staging.read(COUNT);
  if ((row?.[0] ?? 0) === 0) {
    const names = files.map(nameOf).join(", ");
    throw new CommandError(
      `${names}: there is no organization record; accepted: at least one. Nothing was changed.`,
    );
  }
}

const IGNORED = statement<[users: number]>(
  () => `
    SELECT count(*) FROM staged_user u WHERE NOT EXISTS (SELECT 1 FROM staged_member m WHERE m.member = u.id)`,
);

async function ignoredUsers(staging: Staging): Promise<number> {
  const [row] = await staging.read(IGNORED);
  return row?.[0] ?? 0;
}

/** The largest part of an organization that may go without being asked for: a cut file looks valid. */
const REMOVABLE = 1 / 5;

function refuseRemovals(changes: readonly OrganizationChange[]): void {
  for (const { organization, kinds, counts } of changes) {
    for (const [kind, left] of [
      ["member", counts.members],
      ["permission", counts.permissions],
    ] as const) {
      const { removed, added } = kinds[kind];
      const before = left - added + removed;
      if (removed <= before * REMOVABLE) continue;
      throw new CommandError(
        `This import would remove ${removed} of the ${before} ${kind}s of organization ${organization}, more than a fifth. ` +
          "If that is meant, add --allow-removals. Nothing was changed.",
      );
    }
  }
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
