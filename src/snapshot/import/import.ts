import { CommandError } from "../../domain/error.ts";
import { isRefused, judge, refusalOf } from "../../domain/guard.ts";
import type { ChangeSource } from "../../store/writing/change/record-change.ts";
import { type Engine, type Staging, statement } from "../../store/engine/engine.ts";
import { LineKeeper } from "../../store/writing/lines/keep.ts";
import { currentOf } from "../../store/writing/resolve/current.ts";
import { alikeIds } from "../../store/writing/generation/alike.ts";
import { violations } from "../../store/writing/generation/checks.ts";
import {
  differences,
  isChange,
  isKnown,
  type OrganizationChange,
  recordsIn,
} from "../../store/writing/generation/difference/difference.ts";
import { differing } from "../../store/writing/generation/difference/differing.ts";
import { stageDifferences } from "../../store/writing/generation/difference/stage-differences.ts";
import { endingTokens } from "../../store/writing/generation/difference/ending-tokens.ts";
import { examplesOf } from "../../store/writing/generation/difference/examples.ts";
import { prospectsOf } from "../../store/writing/generation/difference/prospect.ts";
import { rehearsing } from "../../store/writing/generation/proposal.ts";
import { publish } from "../../store/writing/generation/publish.ts";
import {
  createStaged,
  dropRepeatedUsers,
  fileAndLine,
  indexStaged,
  placeOf,
  StagedWriter,
} from "../../store/writing/generation/staged.ts";
import { fetchStored } from "../../store/writing/generation/stored.ts";
import { prune } from "../../store/writing/generation/sweep.ts";
import { readByLines } from "./by-lines.ts";
import { importFew } from "./few-changes.ts";
import { type ImportOptions, type ImportResult, mustNotBeNewer, RefusedImport } from "./options.ts";
import { Problems, show } from "../problem.ts";
import type { Input } from "../reading/lines.ts";
import { nameOf, readRecords } from "../reading/read.ts";
import { recordKey } from "../record-key.ts";
import { stage } from "../staging/rows.ts";

/**
 * Makes every organization that has a record in the files exactly what the files say (contract, section 8). Throws a
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
    const staged = stage(writer, record, placeOf(file, line));
    return full === undefined ? staged : full.then(() => staged);
  });
  await writer.end();
  report({ phase: "checking" });
  await indexStaged(staging);
  await check(staging, files);
  await dropRepeatedUsers(staging);
  await fetchStored(staging);
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
  if (now !== undefined) await lines.keep(now.revision.generation, now.revision.revision);
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

/** Where a staged record was read, for messages. */
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
