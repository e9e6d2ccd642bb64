/**
 * Imports whole files. If most lines were in the last file too (by-lines.ts), the few changed records are written as a
 * change. Otherwise all records are staged (staging.ts) and, in store/writing, checked against each other
 * (generation/checks.ts), compared with the stored ones (generation/difference.ts), judged by the guard (guard.ts), and
 * published (publish.ts).
 */
import { CommandError, RefusedError } from "../domain/error.ts";
import { counted } from "../domain/text.ts";
import { type Engine, type Staging, statement } from "../store/engine/engine.ts";
import type { Token } from "../store/revisions/registry.ts";
import { type ChangeSource, currentOf } from "../store/revisions/publication.ts";
import { endingTokens, tokensOfLeavers } from "../store/tokens.ts";
import { countsAfter } from "../store/writing/change/write-change.ts";
import { type AlikeIds, alikeIds, alikeToAdded } from "../store/writing/alike.ts";
import { violations } from "../store/writing/generation/checks.ts";
import {
  type RecordDifference,
  type OrganizationChange,
  differences,
  differing,
  isChange,
  recordsIn,
  sizeOf,
} from "../store/writing/generation/difference.ts";
import {
  type ChangeLimit,
  type Examination,
  makeCurrent,
  publish,
  usualLimit,
} from "../store/writing/publish.ts";
import {
  StagedWriter,
  createStaged,
  dropRepeatedUsers,
  fetchStored,
  decodeLine,
  indexStaged,
  encodeLine,
} from "../store/writing/generation/staged.ts";
import { type Returned, returnedAmong, returnedIn } from "../store/writing/generation/returned.ts";
import { prune } from "../store/writing/generation/sweep.ts";
import { refusalFor, refusalOfFile } from "../store/writing/guard.ts";
import { LineKeeper } from "../store/writing/lines/known-lines.ts";
import { describe } from "../store/writing/resolve/preview.ts";
import { changesIn } from "../store/writing/resolve/resolve.ts";
import { type WholeFile, readByLines } from "./by-lines.ts";
import type { Input } from "./input.ts";
import { mustBeValid } from "./whole-file.ts";
import { inputName, readRecords } from "./read.ts";
import { recordKey } from "./records.ts";
import { stage } from "./staging.ts";

/**
 * Makes every organization that has a record in the files exactly what the files say (docs/snapshot.md). Throws a
 * CommandError for an invalid record, and a RefusedImport if the guard refuses. Then nothing is changed.
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

/** Imports while the caller holds the import lock. `sourceOf` receives the SHA-256 of the files. */
export async function importInto(
  engine: Engine,
  staging: Staging,
  files: readonly Input[],
  options: ImportOptions,
  sourceOf: (input: string) => ChangeSource,
): Promise<ImportResult> {
  const report = options.progress ?? (() => {});
  if (options.dryRun !== true) await prune(engine, staging);
  const whole = await readByLines(staging, files, options);
  const few = whole && (await importFew(engine, staging, whole, options, sourceOf(whole.sha256)));
  if (few !== undefined) return few;
  await createStaged(staging);
  const writer = new StagedWriter(staging);
  const lines = await LineKeeper.begin(staging);
  const { sha256 } = await readRecords(files, options, (record, file, line, text) => {
    const full = lines.add(text, recordKey(record));
    const staged = stage(writer, record, encodeLine(file, line));
    return full === undefined ? staged : full.then(() => staged);
  });
  await writer.end();
  report({ phase: "checking" });
  await indexStaged(staging);
  await check(staging, files);
  await dropRepeatedUsers(staging);
  await fetchStored(staging);
  report({ phase: "comparing" });
  const organizations = await differences(staging, options.details !== undefined);
  mustNotBeNewer(organizations, options.base);
  const changes = organizations.filter(isChange);
  const result = {
    organizations,
    ignoredUsers: await ignoredUsers(staging),
    alike: await alikeIds(staging),
    endingTokens: await endingTokens(staging, changes),
    returned: await returnedIn(staging, changes),
    changed: changes.length > 0,
  };
  await tell(staging, changes, options);
  mustNotReturn(result, options);
  await guard(staging, changes, options, result);
  if (options.dryRun === true && options.examination === undefined) return result;
  let rows = 0;
  report({ phase: "publishing" });
  const published = await publish(
    engine,
    staging,
    organizations,
    sourceOf(sha256),
    (more) => report({ phase: "writing", rows: (rows += more) }),
    options.changeLimit,
    options.examination,
  );
  if (published === undefined) await prune(engine, staging);
  else await keepLines(staging, lines, organizations);
  return result;
}

/**
 * Stores the hashes of the lines, by which the next import recognizes the lines. Does nothing if the files have several
 * organizations, or a record twice.
 */
async function keepLines(
  staging: Staging,
  lines: LineKeeper,
  organizations: readonly OrganizationChange[],
): Promise<void> {
  const [only] = organizations;
  if (only === undefined || organizations.length > 1 || lines.lines !== recordsIn(only.counts)) return;
  const now = await currentOf(staging, only.organization);
  if (now !== undefined) await lines.keep(now.at.generation, now.at.revision);
}

async function tell(staging: Staging, changes: readonly OrganizationChange[], { details }: ImportOptions) {
  if (details === undefined || changes.length === 0) return;
  for await (const page of differing(staging)) details(page);
}

/** Throws a RefusedImport for risks that the operator did not confirm. */
async function guard(
  staging: Staging,
  changes: readonly OrganizationChange[],
  options: ImportOptions,
  result: ImportResult,
): Promise<void> {
  const meant = { removals: options.allowRemovals, empty: options.allowEmpty };
  const refusals: string[] = [];
  for (const change of changes) {
    const refusal = await refusalOfFile(staging, change, meant);
    if (refusal !== undefined) refusals.push(refusal);
  }
  if (refusals.length > 0) throw new RefusedImport(refusals.join("\n"), result);
}

const COUNT = statement<[organizations: number]>(() => "SELECT count(*) FROM staged_organization");

async function check(staging: Staging, files: readonly Input[]): Promise<void> {
  const found = await violations(staging);
  const [row] = await staging.read(COUNT);
  mustBeValid(found, row?.[0] ?? 0, files, (line) => whereIs(files, line));
}

/** Where a staged record was read, for messages. */
function whereIs(files: readonly Input[], encoded: number): { file: string; line: number } {
  const { file, line } = decodeLine(encoded);
  return { file: inputName(files[file] ?? ""), line };
}

const IGNORED = statement<[users: number]>(
  () => `
    SELECT count(*) FROM staged_user u WHERE NOT EXISTS (SELECT 1 FROM staged_member m WHERE m.member = u.id)`,
);

async function ignoredUsers(staging: Staging): Promise<number> {
  const [row] = await staging.read(IGNORED);
  return row?.[0] ?? 0;
}

export interface ImportOptions {
  /** Checks the files and counts their changes, but writes nothing. */
  readonly dryRun?: boolean;
  /** Requires an end record in every file, which shows that the file is not cut off. */
  readonly complete?: boolean;
  /** Turns off the guard against large removals, promotions and openings (docs/snapshot.md). */
  readonly allowRemovals?: boolean;
  /** Refuses records that come back after `apply` removed them. */
  readonly refuseReturned?: boolean;
  /** Accepts a new organization without members. */
  readonly allowEmpty?: boolean;
  /** `rolebook revisions` shows this note. */
  readonly note?: string;
  /**
   * The revision from which the files were made. The import is refused if there is a later one, whose changes it would
   * undo.
   */
  readonly base?: number | undefined;
  /** How long to wait for another import or change, in milliseconds. */
  readonly patience?: number | undefined;
  /** Up to how many changed records an import is written as a change. Only tests set it. */
  readonly changeLimit?: ChangeLimit;
  /** Receives each changed record before anything is published, even if the import is refused. */
  readonly details?: (differences: readonly RecordDifference[]) => void;
  /** Examines the organizations as they would be. In a dry run, that state is written and then rolled back. */
  readonly examination?: Examination | undefined;
  readonly progress?: (step: ImportStep) => void;
}

export type ImportStep =
  | { readonly phase: "waiting" | "checking" | "comparing" | "publishing" }
  | { readonly phase: "reading"; readonly bytes: number }
  | { readonly phase: "writing"; readonly rows: number };

export interface ImportResult {
  readonly organizations: readonly OrganizationChange[];
  /** How many users in the files are members of no organization. */
  readonly ignoredUsers: number;
  /** The tokens of members who leave. They are deleted. */
  readonly endingTokens: readonly Token[];
  /** What the import adds although `apply` removed it. */
  readonly returned: readonly Returned[];
  /** The first ids that differ only in case. */
  readonly alike: readonly AlikeIds[];
  /** Whether there is a new revision; in a dry run, whether there would be one. */
  readonly changed: boolean;
}

/** The guard refused an import. The message says what the import would have changed. */
export class RefusedImport extends RefusedError {
  readonly result: ImportResult;

  constructor(message: string, result: ImportResult) {
    super(message);
    this.result = result;
  }
}

function mustNotReturn(result: ImportResult, { refuseReturned = false }: ImportOptions): void {
  if (!refuseReturned || result.returned.length === 0) return;
  throw new RefusedImport(
    `Refused by --refuse-returned: ${counted(result.returned.length, "record")} would come back. Nothing was changed.`,
    result,
  );
}

/** Throws a CommandError if an organization has a later revision than `base`. */
export function mustNotBeNewer(
  organizations: readonly OrganizationChange[],
  base = Number.POSITIVE_INFINITY,
): void {
  for (const { organization, current = 0 } of organizations) {
    if (current <= base) continue;
    throw new CommandError(
      `Organization ${organization} is at revision ${current}, the files are of revision ${base}: later changes would be lost. Nothing was changed.`,
    );
  }
}

/** Imports a whole file that changes little as a change. `undefined`, with nothing changed, if the guard refuses or too much changes. */
export async function importFew(
  engine: Engine,
  staging: Staging,
  { now, outcome }: WholeFile,
  options: ImportOptions,
  source: ChangeSource,
): Promise<ImportResult | undefined> {
  const { organization, revision, counts } = now.at;
  const { records } = outcome;
  const change = {
    organization,
    title: outcome.title,
    current: revision,
    counts: countsAfter(counts, records),
    kinds: changesIn(outcome.counts),
  };
  mustNotBeNewer([change], options.base);
  const { changeLimit = usualLimit, examination, dryRun = false } = options;
  if (sizeOf(change) > changeLimit(change)) return undefined;
  if (options.allowRemovals !== true) {
    if ((await refusalFor(now, now, outcome.title, records)) !== undefined) return undefined;
  }
  const changed = isChange(change);
  if (changed) options.details?.(await describe(now, organization, records));
  const result = {
    organizations: [change],
    ignoredUsers: 0,
    endingTokens: await tokensOfLeavers(staging, organization, records),
    returned: await returnedAmong(staging, now, records),
    alike: await alikeToAdded(now, records),
    changed,
  };
  mustNotReturn(result, options);
  if (dryRun && examination === undefined) return result;
  if (changed) options.progress?.({ phase: "publishing" });
  const next = changed ? { changed: [{ current: now.at, records }] } : { unchanged: [now.at] };
  await makeCurrent(engine, staging, next, source, examination);
  return result;
}
