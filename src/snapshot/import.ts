/**
 * Imports whole files: their records are staged in memory and checked against each other (whole-file.ts), and then, in
 * store/writing, compared with the stored ones (file/difference.ts), judged by the guard (guard.ts), and published
 * (publish.ts).
 */
import { CommandError, RefusedError } from "../domain/error.ts";
import { counted } from "../domain/text.ts";
import type { Engine, Staging } from "../store/engine/engine.ts";
import type { ChangeSource } from "../store/revisions/publication.ts";
import type { Token } from "../store/revisions/registry.ts";
import { prune } from "../store/rows/prune.ts";
import { endingTokens } from "../store/tokens.ts";
import type { AlikeIds } from "../store/writing/alike.ts";
import { alikeIdsIn } from "../store/writing/file/alike-ids.ts";
import { compareFiles, differencesOf, type FileChange, isWritten } from "../store/writing/file/difference.ts";
import { Ordered } from "../store/writing/file/file-rows.ts";
import type { IsWhole } from "../store/writing/file/write-file.ts";
import { refusalOfFile } from "../store/writing/guard.ts";
import {
  type Examination,
  isChange,
  type OrganizationChange,
  type RecordDifference,
} from "../store/writing/organization-change.ts";
import { publishFiles } from "../store/writing/publish.ts";
import { type Returned, returnedIn } from "../store/writing/returned.ts";
import type { Input } from "./input.ts";
import { readWholeFiles } from "./whole-file.ts";

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
async function importInto(
  engine: Engine,
  staging: Staging,
  files: readonly Input[],
  options: ImportOptions,
  sourceOf: (input: string) => ChangeSource,
): Promise<ImportResult> {
  const report = options.progress ?? (() => {});
  if (options.dryRun !== true) await prune(engine, staging);
  const { staged, sha256 } = await readWholeFiles(files, options, () => report({ phase: "checking" }));
  report({ phase: "comparing" });
  const ordered = new Ordered(staged);
  const compared = await compareFiles(staging, ordered, options.details !== undefined);
  mustNotBeNewer(compared, options.base);
  const changes = compared.filter(isChange);
  const result = {
    organizations: compared.map(({ organization, title, current, counts, kinds }) => ({
      organization,
      title,
      current,
      counts,
      kinds,
    })),
    ignoredUsers: ordered.ignoredUsers,
    alike: alikeIdsIn(ordered),
    endingTokens: await tokensOf(staging, changes),
    returned: await returnedOf(staging, changes),
    changed: compared.some(isWritten),
  };
  await tell(staging, changes, options);
  mustNotReturn(result, options);
  await guard(staging, changes, options, result);
  if (options.dryRun === true && options.examination === undefined) return result;
  let rows = 0;
  report({ phase: "publishing" });
  await publishFiles(engine, staging, compared, sourceOf(sha256), {
    progress: (more) => report({ phase: "writing", rows: (rows += more) }),
    isWhole: options.isWhole,
    examination: options.examination,
  });
  return result;
}

async function tokensOf(staging: Staging, changes: readonly FileChange[]): Promise<Token[]> {
  const ending: Token[] = [];
  for (const { organization, kinds, rows } of changes) {
    if (kinds.member.removed === 0) continue;
    ending.push(...(await endingTokens(staging, organization, (member) => rows.hasMember(member))));
  }
  return ending;
}

async function returnedOf(staging: Staging, changes: readonly FileChange[]): Promise<Returned[]> {
  const returned: Returned[] = [];
  for (const change of changes)
    returned.push(...(await returnedIn(staging, change, () => differencesOf(staging, change))));
  return returned;
}

async function tell(staging: Staging, changes: readonly FileChange[], { details }: ImportOptions) {
  if (details === undefined) return;
  for (const change of changes) for await (const page of differencesOf(staging, change)) details(page);
}

/** Throws a RefusedImport for risks that the operator did not confirm. */
async function guard(
  staging: Staging,
  changes: readonly FileChange[],
  options: ImportOptions,
  result: ImportResult,
): Promise<void> {
  const meant = { removals: options.allowRemovals, empty: options.allowEmpty };
  const refusals: string[] = [];
  for (const change of changes) {
    const refusal = await refusalOfFile(staging, change, meant, () => differencesOf(staging, change));
    if (refusal !== undefined) refusals.push(refusal);
  }
  if (refusals.length > 0) throw new RefusedImport(refusals.join("\n"), result);
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
  /** Whether an organization that is stored already is written as a new generation. Only tests set it. */
  readonly isWhole?: IsWhole | undefined;
  /** Receives each changed record before anything is published, even if the import is refused. */
  readonly details?: (differences: readonly RecordDifference[]) => void;
  /** Examines the organizations as they would be. */
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
function mustNotBeNewer(organizations: readonly OrganizationChange[], base = Number.POSITIVE_INFINITY): void {
  for (const { organization, current = 0 } of organizations) {
    if (current <= base) continue;
    throw new CommandError(
      `Organization ${organization} is at revision ${current}, the files are of revision ${base}: later changes would be lost. Nothing was changed.`,
    );
  }
}
