import { CommandError, RefusedError } from "../domain/error.ts";
import { isRefused, judge, refusalOf } from "../domain/guard.ts";
import type { ChangeSource } from "../store/writing/change/record-change.ts";
import type { Engine, Staging } from "../store/engine/engine.ts";
import { type AlikeIds, alikeIds } from "../store/writing/generation/alike.ts";
import { violations } from "../store/writing/generation/checks.ts";
import {
  differences,
  isChange,
  isKnown,
  type OrganizationChange,
} from "../store/writing/generation/difference.ts";
import { type Difference, differing, stageDifferences } from "../store/writing/generation/differing.ts";
import { endingTokens } from "../store/writing/generation/ending-tokens.ts";
import { examplesOf } from "../store/writing/generation/examples.ts";
import { prospectsOf } from "../store/writing/generation/prospect.ts";
import { type Examination, rehearsing } from "../store/writing/generation/proposal.ts";
import { type ChangeLimit, publish } from "../store/writing/generation/publish.ts";
import {
  createStaged,
  dropRepeatedUsers,
  fileAndLine,
  indexStaged,
  placeOf,
  StagedWriter,
} from "../store/writing/generation/staged.ts";
import { prune } from "../store/writing/generation/sweep.ts";
import { statement } from "../store/engine/engine.ts";
import type { Token } from "../store/revisions/registry.ts";
import { Problems, show } from "./problem.ts";
import type { Input } from "./lines.ts";
import { nameOf, readRecords } from "./read.ts";
import { stage } from "./rows.ts";

export interface ImportOptions {
  /** Check and compare, change nothing. */
  readonly dryRun?: boolean;
  /** Every file must say itself, in its end record, that it is whole. */
  readonly complete?: boolean;
  /** Go on although much would be removed, raised or opened: what the guard is for (contract, section 8). */
  readonly allowRemovals?: boolean;
  /** Go on although an organization would begin without any member. */
  readonly allowEmpty?: boolean;
  /** What `rolebook revisions` tells of the revision. */
  readonly note?: string;
  /** The revision that the files are of: what was changed since must not be lost. */
  readonly base?: number | undefined;
  /** How long to wait for another writer, in milliseconds. */
  readonly patience?: number | undefined;
  /** How many changed records are written as a change of the stored generation, not as a new one; for tests. */
  readonly changeLimit?: ChangeLimit;
  /** Hears of each record that differs, before anything is published, also of an import that is refused. */
  readonly details?: (differences: readonly Difference[]) => void;
  /** Looks at what the organizations are about to become; in a dry run it is a rehearsal. */
  readonly examination?: Examination | undefined;
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
  /** The tokens that die with their members' leaving, or would. */
  readonly endingTokens: readonly Token[];
  /** The first ids that differ by capitals alone. */
  readonly alike: readonly AlikeIds[];
  /** Whether a new revision was made, or would have been. */
  readonly changed: boolean;
}

/** An import that the guard refused; its message names what would have happened. */
export class RefusedImport extends RefusedError {
  readonly result: ImportResult;

  constructor(message: string, result: ImportResult) {
    super(message);
    this.result = result;
  }
}

/**
 * Makes each organization that has its record in the files exactly what the files say (contract, section 8).
 * Throws, with nothing changed, a CommandError when a record is wrong and a RefusedImport when the guard refuses.
 */
export async function importFiles(
  engine: Engine,
  files: readonly Input[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  return engine.importing(
    (staging) =>
      importInto(engine, staging, files, options, (input) => ({
        command: "import",
        note: options.note,
        input,
        id: undefined,
      })),
    () => options.progress?.({ phase: "waiting" }),
    options.patience,
  );
}

/** The same for whoever has the turn already; `sourceOf` is given the SHA-256 of the files. */
export async function importInto(
  engine: Engine,
  staging: Staging,
  files: readonly Input[],
  options: ImportOptions,
  sourceOf: (input: string) => ChangeSource,
): Promise<ImportResult> {
  const report = options.progress ?? (() => {});
  await prune(engine, staging);
  await createStaged(staging);
  const writer = new StagedWriter(staging);
  const { sha256 } = await readRecords(files, options, (record, file, line) =>
    stage(writer, record, placeOf(file, line)),
  );
  await writer.end();
  report({ phase: "checking" });
  await indexStaged(staging);
  await check(staging, files);
  await dropRepeatedUsers(staging);
  report({ phase: "comparing" });
  const organizations = await differences(staging);
  mustNotBeNewer(organizations, options.base);
  const changes = organizations.filter(isChange);
  const result = {
    organizations,
    ignoredUsers: await ignoredUsers(staging),
    alike: await alikeIds(staging),
    endingTokens: await endingTokens(staging, changes),
    changed: changes.length > 0,
  };
  if (options.details !== undefined || changes.some(isKnown)) await stageDifferences(staging, changes);
  await tell(staging, changes, options);
  await guard(staging, changes, options, result);
  if (options.dryRun === true && options.examination === undefined) return result;
  let rows = 0;
  const publishing = () =>
    publish(
      engine,
      staging,
      organizations,
      sourceOf(sha256),
      (more) => report({ phase: "writing", rows: (rows += more) }),
      options.changeLimit,
      options.examination,
    );
  if (await rehearsing(publishing)) await prune(engine, staging);
  return result;
}

function mustNotBeNewer(organizations: readonly OrganizationChange[], base = Number.POSITIVE_INFINITY): void {
  for (const { organization, current = 0 } of organizations) {
    if (current <= base) continue;
    throw new CommandError(
      `Organization ${organization} is at revision ${current}, the files are of revision ${base}: what was changed since would be lost. Nothing was changed.`,
    );
  }
}

/** Tells of every difference, if somebody wants to hear it. */
async function tell(staging: Staging, changes: readonly OrganizationChange[], { details }: ImportOptions) {
  if (details === undefined || changes.length === 0) return;
  for await (const page of differing(staging)) details(page);
}

/** Throws where what would happen has to be meant, and nobody said so. */
async function guard(
  staging: Staging,
  changes: readonly OrganizationChange[],
  options: ImportOptions,
  result: ImportResult,
): Promise<void> {
  const meant = { removals: options.allowRemovals, empty: options.allowEmpty };
  const refused = (await prospectsOf(staging, changes))
    .map((prospect) => ({ prospect, verdict: judge(prospect, meant) }))
    .filter(({ verdict }) => isRefused(verdict));
  if (refused.length === 0) return;
  const named = refused.some(({ verdict }) => verdict.risks.length > 0);
  const messages: string[] = [];
  for (const { prospect, verdict } of refused) {
    messages.push(refusalOf(prospect, verdict, named ? await examplesOf(staging, prospect) : {}));
  }
  throw new RefusedImport(messages.join("\n"), result);
}

const COUNT = statement<[organizations: number]>(() => "SELECT count(*) FROM staged_organization");

async function check(staging: Staging, files: readonly Input[]): Promise<void> {
  const { first, count } = await violations(staging);
  if (count > 0) {
    const problems = new Problems();
    for (const { place, field, value, accepted, again } of first) {
      const where = again && whereIs(files, again.place);
      const repeated = again ? [" a second time", again.whose].join(" ").trimEnd() : "";
      const before = where ? `, first at ${where.file}:${where.line}` : "";
      const message = `${field} is ${show(value)}${repeated}${before}; accepted: ${accepted}`;
      problems.add({ ...whereIs(files, place), message });
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

/** The file, as messages call it, and the line of a staged record. */
function whereIs(files: readonly Input[], place: number): { file: string; line: number } {
  const { file, line } = fileAndLine(place);
  return { file: nameOf(files[file] ?? ""), line };
}

const IGNORED = statement<[users: number]>(
  () => `
    SELECT count(*) FROM staged_user u WHERE NOT EXISTS (SELECT 1 FROM staged_member m WHERE m.member = u.id)`,
);

async function ignoredUsers(staging: Staging): Promise<number> {
  const [row] = await staging.read(IGNORED);
  return row?.[0] ?? 0;
}
