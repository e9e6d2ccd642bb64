import { UsageError } from "../../domain/error.ts";
import { oneLine } from "../../domain/text.ts";
import type { SpeltWhen } from "../../domain/date.ts";
import { BOM, csvLines } from "../../operations/csv.ts";
import { changeLines } from "../../snapshot/changes/lines.ts";
import { withEnd } from "../../snapshot/export.ts";
import { Diff } from "../../store/revisions/diff/diff.ts";
import type { DifferenceFilter } from "../../store/revisions/diff/filter.ts";
import { changedRecords } from "../../store/revisions/diff/log/log.ts";
import { DIRECTIONS } from "../../domain/difference.ts";
import { readTwoConsistently, type TwoRevisions } from "../../store/revisions/consistent-read.ts";
import { type ReportScope, whereOf, whoOf } from "../../domain/scope.ts";
import { contentsNamed } from "../../store/reports/report-scope.ts";
import type { Store } from "../../store/store.ts";
import { chooseOrganization } from "../choose.ts";
import { print, say, withExistingStore } from "../context.ts";
import { FORMATS, type Format } from "../output/list-output.ts";
import { readWhen } from "../options.ts";
import { scopeOf } from "../commands/access/report.ts";
import { RowsOutput } from "../output/rows-output.ts";
import { bar, StatusLine } from "../output/status/status-line.ts";
import { CONTENTS, PAIRS, PEOPLE } from "./sheets.ts";
import { wordedContents, wordedPairs, wordedPeople } from "./wording.ts";

export interface DiffArguments {
  readonly organization?: string;
  readonly from: string;
  readonly to?: string;
  readonly space?: readonly string[];
  readonly collection?: readonly string[];
  readonly site?: readonly string[];
  readonly user?: readonly string[];
  readonly pairs?: boolean;
  readonly records?: boolean;
  readonly base?: boolean;
  readonly role?: string;
  readonly guests?: boolean;
  readonly gained?: boolean;
  readonly lost?: boolean;
  readonly raised?: boolean;
  readonly lowered?: boolean;
  readonly format?: string;
  /** `--no-head` sets it to false: a CSV without the lines above its column names. */
  readonly head?: boolean;
  readonly database?: string;
}

interface Question {
  readonly whens: { readonly from: SpeltWhen; readonly to: SpeltWhen | undefined };
  readonly scope: ReportScope;
  readonly filter: DifferenceFilter;
  readonly isOfPairs: boolean;
  readonly format: Format;
  readonly head: boolean;
}

/** `rolebook diff`: whose effective role differs between two revisions, where, and why. */
export async function diffCommand(options: DiffArguments): Promise<void> {
  const question = questionOf(options);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    if (options.records === true) await printRecords(store, organization, question, options.base === true);
    else await printDiff(store, organization, question);
  });
}

function questionOf(options: DiffArguments): Question {
  if (options.base === true && options.records !== true) {
    throw new UsageError("--base is given without --records; accepted: both, for a change file with a base.");
  }
  const scope = scopeOf(options);
  const { spaces, collections, sites, users } = scope;
  const wanted = DIRECTIONS.filter((direction) => options[direction] === true);
  return {
    whens: {
      from: readWhen("--from", options.from),
      to: options.to === undefined ? undefined : readWhen("--to", options.to),
    },
    scope,
    filter: {
      role: scope.role,
      directions: wanted.length === 0 ? undefined : new Set(wanted),
      guests: scope.guests,
    },
    isOfPairs:
      options.pairs === true || [spaces, collections, sites, users].some((each) => each !== undefined),
    format: formatOf(options),
    head: options.head ?? true,
  };
}

function formatOf({ format, records }: DiffArguments): Format {
  const wanted = format ?? (records === true ? "ndjson" : "table");
  const found = (records === true ? (["ndjson"] as const) : FORMATS).find((each) => each === wanted);
  if (found !== undefined) return found;
  const accepted = records === true ? "ndjson with --records" : FORMATS.join(", ");
  throw new UsageError(`--format is ${JSON.stringify(wanted)}; accepted: ${accepted}.`);
}

async function printDiff(store: Store, organization: string, question: Question): Promise<void> {
  const output = new RowsOutput(question.format);
  const line = new StatusLine();
  const progress = (what: string) => (part: number) => line.show(() => `${what} ${bar(part)}`);
  try {
    const at = await readTwoConsistently(store, organization, question.whens, async (revisions, reader) => {
      const [before, after] = [store.reading(revisions.from, reader), store.reading(revisions.to, reader)];
      const diff = await Diff.of(reader, before, after, question.filter);
      if (question.isOfPairs) {
        const { users } = question.scope;
        const contents = await contentsNamed([after, before], question.scope);
        if (contents === undefined && users === undefined) {
          const rows = await countPairs(diff, progress("Counting"));
          line.end();
          say(`The pairs are ${rows.toLocaleString("en")} rows.`);
        }
        for await (const { rows, done, of } of diff.pairs({ contents, users })) {
          output.add(PAIRS, await wordedPairs(diff, rows));
          progress("Deciding")(of === 0 ? 1 : done / of);
        }
      } else {
        for await (const people of diff.people(progress("People"))) {
          output.add(PEOPLE, await wordedPeople(diff, people));
        }
        // This step shows no progress: how many contents differ is known only after all that may differ are read.
        line.show(() => "Reading contents …", false);
        output.add(CONTENTS, await wordedContents(diff, await diff.contents(progress("Comparing"))));
      }
      return revisions;
    });
    line.end();
    const { from, to } = at;
    if (output.rows === 0 && question.format === "table") say("Nobody’s effective role differs.");
    say(
      `${output.rows.toLocaleString("en")} ${output.rows === 1 ? "row" : "rows"}: ${oneLine(to.title)} from revision ${from.revision} (${from.importedAt}) to ${to.revision} (${to.importedAt}).`,
    );
    await output.print((rows, sha256, columns) =>
      question.head ? BOM + headOf(at, question, rows, sha256, columns) : csvLines([columns]),
    );
  } finally {
    line.end();
    output.close();
  }
}

async function countPairs(diff: Diff, progress: (part: number) => void): Promise<number> {
  let rows = 0;
  for await (const people of diff.people()) for (const { contents } of people) rows += contents;
  for (const { counts } of await diff.contents(progress)) for (const count of counts) rows += count;
  return rows;
}

function headOf(
  { from, to }: TwoRevisions,
  { scope, filter, isOfPairs }: Question,
  rows: number,
  sha256: string,
  columns: readonly string[],
): string {
  return csvLines([
    ["Rolebook diff"],
    ["organization", to.organization, oneLine(to.title)],
    ["from", String(from.revision), from.importedAt],
    ["to", String(to.revision), to.importedAt],
    [
      "covers",
      whereOf(scope),
      whoOf(scope),
      scope.role === undefined ? "every role" : `from or to role ${scope.role} only`,
      filter.directions === undefined ? "every change" : `${[...filter.directions].join(", ")} only`,
      isOfPairs ? "user by user" : "summed up",
    ],
    ["rows", String(rows)],
    ["sha256", sha256],
    columns,
  ]);
}

/** Prints the changed records as a change file (contract, section 11). */
async function printRecords(
  store: Store,
  organization: string,
  { whens }: Question,
  hasBase: boolean,
): Promise<void> {
  const { from, to, records } = await readTwoConsistently(store, organization, whens, async (at, reader) => {
    const [earlier, later] = at.from.revision < at.to.revision ? [at.from, at.to] : [at.to, at.from];
    return { ...at, records: await changedRecords(reader, earlier, later) };
  });
  const lines = changeLines(
    organization,
    records,
    from.revision > to.revision,
    hasBase ? from.revision : undefined,
  );
  for await (const line of withEnd(lines)) await print(line);
}
