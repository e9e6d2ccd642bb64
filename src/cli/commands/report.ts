/** `rolebook report`: the sheet of an access review, with a head that says what it covers and the hash of its rows. */
import { createHash } from "node:crypto";
import { type SpeltWhen, isDay } from "../../domain/date.ts";
import { ROLES } from "../../domain/role.ts";
import { BOM, SHEET_COLUMNS, csvLines, sheetCells, sheetHead } from "../../operations/csv.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import type { ReportScope } from "../../domain/scope.ts";
import type { Revision } from "../../store/reading.ts";
import { countContents, reportRows } from "../../store/report.ts";
import type { Store } from "../../store/store.ts";
import { chooseRevision, withExistingStore } from "../database.ts";
import { scopeNamed } from "../names.ts";
import { bothGiven, notAccepted, oneOf, readAt } from "../options.ts";
import { TemporaryFile } from "../output.ts";
import { StatusLine, bar, say, write } from "../terminal.ts";

export interface ReportArguments {
  readonly organization?: string;
  readonly space?: readonly string[];
  readonly collection?: readonly string[];
  readonly site?: readonly string[];
  readonly user?: readonly string[];
  readonly role?: string;
  readonly guests?: boolean;
  readonly least?: string;
  readonly direct?: boolean;
  readonly team?: string;
  readonly since?: string;
  /** `--no-head` sets it to false: a CSV without the lines above its column names. */
  readonly head?: boolean;
  readonly at?: string;
  readonly database?: string;
}

/** `rolebook report`: who has which role where, and why, at one revision, as CSV. */
export async function reportCommand(options: ReportArguments): Promise<void> {
  const scope = { ...scopeOf(options), ...narrowingOf(options) };
  const at = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const revision = await chooseRevision(store, options.organization, at);
    const named = await scopeNamed([store.reading(revision)], scope);
    await writeReport(store, revision.organization, named, { write, say, head: options.head, at });
  });
}

export interface ReportOutput {
  /** Absent for the current revision. */
  readonly at?: SpeltWhen | undefined;
  /** If false, the column names are the first line. */
  readonly head?: boolean | undefined;
  write(piece: string | Buffer): Promise<void>;
  say(message: string): void;
}

/** Writes a report from one revision as UTF-8, with a byte order mark unless `head` is false. */
export async function writeReport(
  store: Store,
  organization: string,
  scope: ReportScope,
  { write, say, head = true, at }: ReportOutput,
): Promise<void> {
  const buffer = new TemporaryFile();
  try {
    const made = await makeRows(store, organization, at, scope, buffer);
    say(`Writing ${made.rows.toLocaleString("en")} rows of ${made.at.title}, revision ${made.at.revision}.`);
    await write(
      head ? BOM + csvLines([...sheetHead(made.at, made, scope), SHEET_COLUMNS]) : csvLines([SHEET_COLUMNS]),
    );
    for (const chunk of buffer.read()) await write(chunk);
  } finally {
    buffer.close();
  }
}

/** What the options select. Throws a UsageError for options that exclude each other, and for an unknown role. */
export function scopeOf(
  options: Pick<ReportArguments, "space" | "collection" | "site" | "user" | "role" | "guests">,
): ReportScope {
  const { space, collection, site, user, role, guests } = options;
  for (const alike of [
    ["space", "collection", "site"],
    ["user", "guests"],
  ] as const) {
    const [one, other] = alike.filter((name) => options[name] !== undefined);
    if (other !== undefined) throw bothGiven(`--${one}`, `--${other}`);
  }
  return {
    spaces: once(space),
    collections: once(collection),
    sites: once(site),
    users: once(user),
    role: oneOf("--role", role, ROLES),
    guests,
  };
}

/** Throws a UsageError for options that exclude each other, an unknown role, and what is no day. */
function narrowingOf({ role, least, direct, team, since }: ReportArguments): ReportScope {
  if (role !== undefined && least !== undefined) throw bothGiven("--role", "--least");
  if (direct === true && team !== undefined) throw bothGiven("--direct", "--team");
  if (since !== undefined && !isDay(since))
    throw notAccepted("--since", since, "a day in UTC, such as 2026-03-01");
  return { least: oneOf("--least", least, ROLES), direct, team, since };
}

function once(ids: readonly string[] | undefined): readonly string[] | undefined {
  return ids && [...new Set(ids)];
}

interface Made {
  readonly at: Revision;
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Writes the rows to `buffer`, because the lines above them have their number and hash. The consistent read ends when
 * all rows are made: a slow reader of the output does not prolong it.
 */
async function makeRows(
  store: Store,
  organization: string,
  when: SpeltWhen | undefined,
  scope: ReportScope,
  buffer: TemporaryFile,
): Promise<Made> {
  const hash = createHash("sha256");
  const line = new StatusLine();
  let rows = 0;
  const at = await readConsistently(
    store,
    organization,
    async (at, reader) => {
      const reading = store.reading(at, reader);
      const contents = await countContents(reading, scope);
      for await (const part of reportRows(reading, scope)) {
        const bytes = Buffer.from(csvLines(part.rows.map(sheetCells)));
        hash.update(bytes);
        buffer.write(bytes);
        rows += part.rows.length;
        line.show(() => {
          const done = contents === 0 ? 1 : part.contents / contents;
          return `Deciding ${bar(done)} of ${contents.toLocaleString("en")} contents, ${rows.toLocaleString("en")} rows`;
        });
      }
      return at;
    },
    when,
  ).finally(() => line.end());
  return { at, rows, sha256: hash.digest("hex") };
}
