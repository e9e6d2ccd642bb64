/**
 * Converts spreadsheets to a snapshot: reads each table, in the order in which one refers to another, checks all, and then
 * makes the records.
 */
import type { DefaultLevel } from "../../domain/content.ts";
import { UsageError } from "../../domain/error.ts";
import { Problems, show } from "../../snapshot/problem.ts";
import type { RecordOf, SnapshotRecord } from "../../snapshot/records.ts";
import { validate } from "../../snapshot/validate.ts";
import { GrantedRoles } from "./access.ts";
import { LEFT_ACCEPTS, Roles, readLeft } from "./cells.ts";
import {
  type DescribedContent,
  Contents,
  LEVEL_ACCEPTS,
  Paths,
  closeAll,
  contentRecords,
  loadContents,
  namelessContent,
  readLevel,
  settleLevels,
} from "./contents.ts";
import { Ids } from "./ids.ts";
import { People } from "./people.ts";
import { Sites } from "./sites.ts";
import { Headings, Notes, type SheetName, Table, type TableReading, refuseOn } from "./table.ts";
import { Teams } from "./teams.ts";
import { Unknown, isAddress } from "./unknown.ts";

interface Converted {
  /** The records can be iterated once. */
  readonly records: Iterable<SnapshotRecord>;
  /** What was derived or assumed; complete when the records have been iterated. */
  readonly notes: Notes;
  /** Whose rows were left out because nobody describes them; a line for each. */
  readonly leftOut: Iterable<string>;
}

/**
 * Converts spreadsheets to a snapshot. All files are read and checked before the first record is made. Throws a
 * CommandError that names the errors in the files, and a UsageError for options that contradict each other.
 */
export async function convertCsv(
  options: CsvOptions,
  progress: TableReading["progress"] = () => {},
): Promise<Converted> {
  const { organization, level } = checked(options);
  const notes = new Notes();
  const problems = new Problems();
  const headings = new Headings(options.columns ?? [], options.left);
  const reading: TableReading = { encoding: options.encoding, headings, problems, notes, progress };
  const tables = {
    people: tableOf("people", options.people, reading),
    teams: tableOf("teams", options.teams, reading),
    members: tableOf("members", options.members, reading),
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
  const sites = new Sites(tables.sites);
  const unknown = new Unknown(options.skipUnknown === true);
  const access = new GrantedRoles({ people, teams, contents, sites, roles, notes, unknown, tables });
  const isEffective = tables.effective !== undefined;

  await roles.load(tables.roles);
  await ids.load(reading);
  await teams.load(tables.teams);
  if (tables.people !== undefined)
    await loadPeople(tables.people, { people, teams, roles, notes, isEffective });
  await teams.loadMembers(tables.members, people, tables.people?.file, unknown);
  if (tables.content !== undefined) await loadContents(contents, tables.content, roles);
  checkTree();
  await sites.load(roles);
  if (tables.access !== undefined) await access.loadGiven(tables.access);
  if (tables.effective !== undefined) await access.loadEffective(tables.effective);
  unknown.refuseTeams((text) => teams.find(text) !== undefined);
  checkTree();
  contents.settleKinds(notes);
  sites.link(contents, (tables.content ?? tables.access ?? tables.effective)?.file);
  refuseOn(problems);
  headings.finish();

  teams.identify(ids);
  sites.identify(ids);
  ids.identify(contents.all, namelessContent, tell);
  refuseOn(problems);
  if (isEffective) {
    closeAll(contents, notes);
    sites.silence(notes);
  } else settleLevels(contents, level, tables.content, notes);
  refuseOn(problems);
  await ids.save();
  return { records: records(), notes, leftOut: unknown.lines() };

  function checkTree(): void {
    for (const [content, why] of contents.misplaced()) tell(content, "title", why);
    for (const [content, other] of contents.lookalikes()) {
      const accepts = "accepted: one spelling, or ids for both in the file of --content";
      tell(content, "title", `there is ${show(other.path)} too; ${accepts}`);
    }
    refuseOn(problems);
  }

  /** Reports an error in a content, at the first row that names it. */
  function tell({ row, id, title, path }: DescribedContent, field: "id" | "title", why: string): void {
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

function tableOf<S extends SheetName>(
  sheet: S,
  files: readonly string[] | undefined,
  reading: TableReading,
): Table<S> | undefined {
  return files === undefined ? undefined : new Table(sheet, files, reading);
}

export interface CsvOptions {
  readonly organization: string;
  readonly title: string;
  readonly people?: readonly string[];
  readonly teams?: readonly string[];
  readonly members?: readonly string[];
  readonly content?: readonly string[];
  readonly access?: readonly string[];
  readonly sites?: readonly string[];
  readonly effective?: readonly string[];
  readonly defaultLevel?: string;
  readonly roles?: readonly string[];
  readonly ids?: string;
  readonly columns?: readonly string[];
  readonly encoding?: string;
  readonly pathSeparator?: string;
  /** The heading of the column that says who has left. */
  readonly left?: string;
  readonly skipUnknown?: boolean;
}

/**
 * The organization's record, and the default level if it is given. Throws a UsageError unless the options name people
 * and access, or effective roles.
 */
function checked(options: CsvOptions): {
  organization: RecordOf<"organization">;
  level: DefaultLevel | undefined;
} {
  const { people, access, effective, defaultLevel } = options;
  const organization = { object: "organization", id: options.organization, title: options.title } as const;
  const wrong = validate(organization);
  if (typeof wrong === "string") throw new UsageError(`--organization or --title: ${wrong}.`);
  if (effective === undefined && (people === undefined || access === undefined)) {
    throw new UsageError(
      "Say what to convert: --people FILE and --access FILE, or --effective FILE; see docs/csv.md.",
    );
  }
  if (effective !== undefined && access !== undefined) {
    throw new UsageError("--access and --effective are both given; accepted: one of them, see docs/csv.md.");
  }
  if (effective !== undefined && defaultLevel !== undefined) {
    throw new UsageError(
      "--default-level is given with --effective, which closes every content; accepted: one of them.",
    );
  }
  const needsPeople = [
    ["--left", options.left],
    ["--members", options.members],
    ["--skip-unknown", options.skipUnknown],
  ] as const;
  for (const [option, value] of needsPeople) {
    if (value === undefined || people !== undefined) continue;
    throw new UsageError(`${option} is given without --people; accepted: both.`);
  }
  const files = [
    options.roles,
    options.ids,
    people,
    options.teams,
    options.members,
    options.content,
    access,
    options.sites,
    effective,
  ];
  if (files.flat().filter((file) => file === "-").length > 1) {
    throw new UsageError(
      "- is given for several files; accepted: for one file, because standard input can be read only once.",
    );
  }
  if (options.pathSeparator?.trim() === "")
    throw new UsageError('--path-separator is blank; accepted: the text between titles, such as " / ".');
  const level = defaultLevel === undefined ? undefined : readLevel(defaultLevel);
  if (defaultLevel !== undefined && level === undefined) {
    throw new UsageError(`--default-level is ${show(defaultLevel)}; ${LEVEL_ACCEPTS}.`);
  }
  return { organization, level };
}

/** What the people table fills. */
interface PeopleTarget {
  readonly people: People;
  readonly teams: Teams;
  readonly roles: Roles;
  readonly notes: Notes;
  /** Whether there are effective roles. Without them, the people table must have a column of roles. */
  readonly isEffective: boolean;
}

/** Reads the people table. A person has one row, or a row for each team. */
export async function loadPeople(
  table: Table<"people">,
  { people, teams, roles, notes, isEffective }: PeopleTarget,
): Promise<void> {
  await table.read([["id", "email"], ...(isEffective ? [] : [["role"] as const])], (row) => {
    const left = readLeft(row.get("left"));
    const role = row.has("role") && left !== true ? roles.read(row.get("role")) : "guest";
    if (left === undefined) {
      row.wrong("left", LEFT_ACCEPTS);
      return;
    }
    if (role === undefined) {
      row.wrong("role", roles.accepts("people"));
      return;
    }
    const person = people.add(table, row, role, left);
    if (person === undefined) return;
    if (people.hasLeft(person)) {
      notes.warn(`People of ${table.file} who have left, left out`, people.idOf(person));
      return;
    }
    const email = row.get("email");
    if (email !== "" && !isAddress(email))
      notes.warn(`E-mail addresses of ${table.file} that are none`, email);
    if (!row.has("role"))
      notes.add(
        `People of ${table.file}, which has no roles, made guests`,
        row.get("id") || row.get("email"),
      );
    teams.join(person, table, row);
  });
}
