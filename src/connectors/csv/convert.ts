import { Problems, show } from "../../snapshot/problem.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import { Access } from "./access.ts";
import { loadContents } from "./content-list.ts";
import { type Content, Contents, Paths } from "./contents.ts";
import { Ids } from "./ids.ts";
import { checked, type CsvOptions } from "./options.ts";
import { People } from "./people.ts";
import { loadPeople } from "./people-list.ts";
import { Roles } from "./cells/roles.ts";
import { closeAll, contentRecords, identifyContents, settleLevels } from "./settle.ts";
import { type Sheet, Headings } from "./sheet/headings.ts";
import { Notes } from "./sheet/notes.ts";
import { type TableReading, refuseOn, Table } from "./sheet/table.ts";
import { Sites } from "./sites.ts";
import { Teams } from "./teams.ts";

export interface Converted {
  /** The records can be iterated once. */
  readonly records: Iterable<SnapshotRecord>;
  /** What was derived or assumed; complete when the records have been iterated. */
  readonly notes: Notes;
}

/**
 * Converts spreadsheets to a snapshot. All files are read and checked before the first record is made. Throws a
 * CommandError that names the errors in the files, and a UsageError for options that contradict each other.
 */
export async function convertCsv(options: CsvOptions): Promise<Converted> {
  const { organization, level } = checked(options);
  const notes = new Notes();
  const problems = new Problems();
  const headings = new Headings(options.columns ?? []);
  const reading: TableReading = { encoding: options.encoding, headings, problems, notes };
  const tables = {
    people: tableOf("people", options.people, reading),
    teams: tableOf("teams", options.teams, reading),
    content: tableOf("content", options.content, reading),
    access: tableOf("access", options.access, reading),
    effective: tableOf("effective", options.effective, reading),
    sites: tableOf("sites", options.sites, reading),
    roles: tableOf("roles", options.roles, reading),
  };
  const roles = new Roles();
  const ids = new Ids(options.ids);
  const teams = new Teams(notes);
  const people = new People();
  const contents = new Contents(new Paths(options.pathSeparator ?? " / "));
  const sites = new Sites();
  const access = new Access({ people, teams, contents, roles, notes, tables });
  const isEffective = tables.effective !== undefined;

  await roles.load(tables.roles);
  await ids.load(reading);
  await teams.load(tables.teams);
  if (tables.people !== undefined)
    await loadPeople(tables.people, { people, teams, roles, notes, isEffective });
  if (tables.content !== undefined) await loadContents(contents, tables.content, roles);
  checkTree();
  if (tables.access !== undefined) await access.loadGiven(tables.access);
  if (tables.effective !== undefined) await access.loadEffective(tables.effective);
  checkTree();
  contents.settleKinds(notes);
  await sites.load(tables.sites, contents, (tables.content ?? tables.access ?? tables.effective)?.file);
  headings.finish();

  teams.identify(ids, tables.people);
  sites.identify(ids);
  identifyContents(contents, ids, tell);
  refuseOn(problems);
  if (isEffective) closeAll(contents, notes);
  else settleLevels(contents, level, tables.content, notes);
  refuseOn(problems);
  await ids.save();
  return { records: records(), notes };

  function checkTree(): void {
    for (const [content, why] of contents.misplaced()) tell(content, "title", why);
    for (const [content, other] of contents.lookalikes()) {
      const accepts = "accepted: one spelling, or ids for both in the file of --content";
      tell(content, "title", `there is ${show(other.path)} too; ${accepts}`);
    }
    refuseOn(problems);
  }

  /** Reports an error in a content, at the first row that names it. */
  function tell({ row, id, title, path }: Content, field: "id" | "title", why: string): void {
    tables.content?.wrong(row, field, field === "id" ? id : title, why);
    if (tables.content !== undefined) return;
    tables.access?.wrong(row, "content", path, why);
    tables.effective?.wrong(row, "content", path, why);
  }

  function* records(): Generator<SnapshotRecord> {
    yield organization;
    yield* people.records(organization.id, isEffective ? "create" : "admin", notes);
    yield* teams.records(organization.id, people);
    yield* contentRecords(organization.id, contents, notes);
    yield* sites.records(organization.id, contents);
    yield* access.records();
  }
}

function tableOf<S extends Sheet>(
  sheet: S,
  files: readonly string[] | undefined,
  reading: TableReading,
): Table<S> | undefined {
  return files === undefined ? undefined : new Table(sheet, files, reading);
}
