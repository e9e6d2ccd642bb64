/** `rolebook report`: the sheet of an access review, with a head that says what it covers and the hash of its rows. */
import { contentKey } from "../../domain/content.ts";
import { type SpeltWhen, isDay } from "../../domain/date.ts";
import { ROLES } from "../../domain/role.ts";
import { BOM, SHEET_COLUMNS, type RowFormat, csvLines, sheetCells, sheetHead } from "../../operations/csv.ts";
import type { Reader } from "../../store/engine/engine.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import type { ReportScope } from "../../domain/scope.ts";
import type { Revision } from "../../store/reading.ts";
import { type ReportRow, type SiteRow, countContents, reportRows, siteRows } from "../../store/report.ts";
import type { Store } from "../../store/store.ts";
import { chooseRevision, withExistingStore } from "../database.ts";
import { scopeNamed } from "../names.ts";
import type { CommandOptions } from "../command-table.ts";
import { bothGiven, notAccepted, oneOf, readAt } from "../options.ts";
import { type Format, RowsOutput, formatOf, sheetOf } from "../output.ts";
import { StatusLine, bar, say, write } from "../terminal.ts";

/** `rolebook report`: who has which role where, and why, at one revision. */
export async function reportCommand(options: CommandOptions<"report">): Promise<void> {
  const scope = { ...scopeOf(options), ...narrowingOf(options) };
  const format = formatOf(options.format ?? "csv");
  const at = readAt(options.at);
  if (options.sites === true) refuseBesideSites(options);
  await withExistingStore(options.database, async ({ store }) => {
    const revision = await chooseRevision(store, options.organization, at);
    const named = await scopeNamed([store.reading(revision)], scope);
    if (options.sites === true) {
      using output = new RowsOutput(format);
      output.add(SITE_ROWS, []);
      const read = async (then: Revision, reader: Reader) => {
        for await (const rows of siteRows(store.reading(then, reader), named.sites))
          output.add(SITE_ROWS, rows);
      };
      await readConsistently(store, revision.organization, read, at);
      await output.print();
      return;
    }
    await writeReport(store, revision.organization, named, { write, say, head: options.head, format, at });
  });
}

export interface ReportOutput {
  /** Absent for the current revision. */
  readonly at?: SpeltWhen | undefined;
  /** If false, the column names are the first line of a CSV. */
  readonly head?: boolean | undefined;
  /** `csv` if absent. */
  readonly format?: Format;
  write(piece: string | Buffer): Promise<void>;
  say(message: string): void;
}

const ROWS: RowFormat<ReportRow> = {
  table: ["content", "title", "user", "name", "role", "why"],
  cells: ({ content, user, role, why }) => [
    contentKey(content.kind, content.id),
    content.title,
    user.id,
    user.displayName,
    role,
    why,
  ],
  csv: SHEET_COLUMNS,
  record: sheetCells,
  object: (row) => row,
};

const SITE_ROWS = sheetOf<SiteRow>({
  site: ({ site }) => site.id,
  title: ({ site }) => site.title,
  kind: ({ team, user }) => (team ? "team" : user ? "user" : "default"),
  id: ({ team, user }) => team?.id ?? user?.id ?? "",
  name: ({ team, user }) => team?.title ?? user?.displayName ?? "",
  role: ({ role }) => role ?? "none",
});

/** What a site says is no effective role, which the other options narrow. Throws a UsageError for these. */
function refuseBesideSites(options: CommandOptions<"report">): void {
  const { space, collection, user, role, guests, least, direct, team, since, withoutAdmins } = options;
  const narrowing = { space, collection, user, role, guests, least, direct, team, since };
  const given = Object.entries({ ...narrowing, "without-admins": withoutAdmins });
  for (const [name, value] of given) if (value !== undefined) throw bothGiven("--sites", `--${name}`);
}

/** Writes a report from one revision as UTF-8, a CSV with a byte order mark unless `head` is false. */
export async function writeReport(
  store: Store,
  organization: string,
  scope: ReportScope,
  { write, say, head = true, format = "csv", at: when }: ReportOutput,
): Promise<void> {
  using output = new RowsOutput(format);
  const line = new StatusLine();
  const read = async (at: Revision, reader: Reader) => {
    const reading = store.reading(at, reader);
    const contents = await countContents(reading, scope);
    for await (const part of reportRows(reading, scope)) {
      output.add(ROWS, part.rows);
      line.show(() => {
        const done = contents === 0 ? 1 : part.contents / contents;
        return `Deciding ${bar(done)} of ${contents.toLocaleString("en")} contents, ${output.rows.toLocaleString("en")} rows`;
      });
    }
    return at;
  };
  const at = await readConsistently(store, organization, read, when).finally(() => line.end());
  say(`Writing ${output.rows.toLocaleString("en")} rows of ${at.title}, revision ${at.revision}.`);
  await output.print(
    (rows, sha256) =>
      head
        ? BOM + csvLines([...sheetHead(at, { rows, sha256 }, scope), SHEET_COLUMNS])
        : csvLines([SHEET_COLUMNS]),
    write,
  );
}

/** What the options select. Throws a UsageError for options that exclude each other, and for an unknown role. */
export function scopeOf(
  options: Pick<CommandOptions<"report">, "space" | "collection" | "site" | "user" | "role" | "guests">,
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
function narrowingOf(options: CommandOptions<"report">): ReportScope {
  const { role, least, direct, team, withoutAdmins, since } = options;
  if (role !== undefined && least !== undefined) throw bothGiven("--role", "--least");
  if (direct === true && team !== undefined) throw bothGiven("--direct", "--team");
  if (since !== undefined && !isDay(since))
    throw notAccepted("--since", since, "a day in UTC, such as 2026-03-01");
  return { least: oneOf("--least", least, ROLES), direct, team, withoutAdmins, since };
}

function once(ids: readonly string[] | undefined): readonly string[] | undefined {
  return ids && [...new Set(ids)];
}
