/**
 * The three requests about lists: a page of a list, its length, and its file. A request selects one list of the table in
 * wire/lists.ts; each list is opened by a function of its own, at the revision that is read.
 */
import { type ContentKey, type DefaultLevel, contentKey } from "../../domain/content.ts";
import type { Effect } from "../../domain/difference.ts";
import { ApiError } from "../../domain/error.ts";
import { type ContentRef, type Phrase, type Reason, plain } from "../../domain/reason.ts";
import type { Person } from "../../domain/why.ts";
import { absent } from "../../operations/authorize.ts";
import { ladderFor } from "../../store/directory/contents.ts";
import { memberOf } from "../../store/directory/members.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { roleCounts } from "../../store/listings/counts.ts";
import { accessOnContent, accessOnSite } from "../../store/listings/subject.ts";
import type { Direction } from "../../domain/difference.ts";
import type { Reading } from "../../store/reading.ts";
import type { CountsAnswer } from "../wire/answers.ts";
import {
  type ListColumn,
  type DeclaredList,
  FILTERS,
  type HeldRole,
  type HeldThen,
  type ListId,
  SETTINGS,
  STATES,
  listsFor,
} from "../wire/lists.ts";
import {
  type ContentNode,
  KINDS,
  type SubjectKind,
  type SpaceNode,
  type Stamp,
  type TeamNode,
} from "../wire/protocol.ts";
import { countGivenToTeam } from "./catalog.ts";
import { changedRows, changedNodes } from "./changes.ts";
import { comparedSpaces } from "./comparison.ts";
import { contentsIn, contentsWith } from "./contents.ts";
import { found } from "./found.ts";
import { type AccessOrder, type ListOpener, type Opened, spacesByRole, totalOf } from "./list.ts";
import { everyoneOn, everyoneOnSite } from "./newcomers.ts";
import { directCounts, nameOf } from "./nodes.ts";
import type { ExplorerOperation, FileOperation } from "./operation.ts";
import { allMembers, everyone, membersOf, peopleGiven, teamOn } from "./people.ts";
import {
  type Filter,
  type ParameterName,
  type Query,
  type SubjectName,
  countOf,
  filterOf,
  idIn,
  isContent,
  isFiltering,
  keyIn,
  only,
  refused,
  subjectOf,
  wordOf,
} from "./query.ts";
import { openedByTeam, permissionsOf, reachOf, spacesOf } from "./spaces.ts";
import { type States, mayCompare, statesIn } from "./states.ts";
import { allTeams, teamsGiven, teamsOf } from "./teams.ts";
import { type Asker, type Viewer, mayList, mustSeeAll, withoutUnseen } from "./viewer.ts";
import { concerned, pairs, withoutOn } from "./without.ts";

const LIST_PARAMETERS: readonly ParameterName[] = [
  ...KINDS,
  "list",
  "show",
  "kind",
  "tab",
  "order",
  ...FILTERS,
  ...STATES,
];

export const access: ExplorerOperation = {
  id: "explorerAccess",
  path: "/explorer/access",
  summary: "List who has access, the spaces of a member, and the permissions of teams",
  description:
    "A list of one `space`, `collection`, `site`, `member` or `team`, selected by `tab`; or, with `list`, a list of the whole organization, such as all members or all teams. Rows of access have a reason; they are sorted by role, strongest first, then by user id. `from`, instead of `page`, is the number of rows to skip.",
  parameters: [...LIST_PARAMETERS, "from"],
  takes: "pages",
  ask(query) {
    const selected = selectedBy(query, ["revision", "limit", "page", "from"]);
    const from = countOf(query, "from");
    if (query.has("from") && query.has("page")) {
      throw new ApiError("badRequest", "Both page and from are given; accepted: one of them.");
    }
    return async (asking, request) => {
      await selected.allow(asking);
      const opened = await open(selected, asking.reading, asking.viewer);
      const after = from === 0 ? request.after : await keyAfter(opened, from, "shown");
      const isBehind = from > 0 && after === undefined;
      const page = isBehind ? { entries: [] } : await opened.page({ ...request, after }, "shown");
      return { of: "list", page, ...(opened.total === undefined ? {} : { total: opened.total }) };
    };
  },
};

export const counts: ExplorerOperation = {
  id: "explorerCounts",
  path: "/explorer/counts",
  summary: "Count the people in each role, and the rows of each list",
  description:
    "For a content or a site: the number of members with each effective role. For a member: the number of spaces on which they have each. Also the length of each list of `access` and, with a list's `tab` and filters, the number of rows that pass them. Computed once per revision.",
  parameters: LIST_PARAMETERS,
  takes: "revision",
  ask(query) {
    const selected = selectedBy(query, ["revision"]);
    const { subject, filter } = selected;
    return async (asking) => {
      await selected.allow(asking);
      const { reading, viewer } = asking;
      const found = subject === undefined ? { tabs: {} } : await countsOf(reading, subject);
      const opened = isFiltering(filter) ? await open(selected, reading, viewer) : undefined;
      if (found === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
      const filtered = await opened?.count();
      const fields: Omit<CountsAnswer, keyof Stamp> = { ...found, ...(filtered && { filtered }) };
      return { of: "thing", fields };
    };
  },
};

/** The number of rows per part of a file. */
const ROWS = 1000;

export const csv: FileOperation = {
  id: "explorerCsv",
  path: "/explorer/csv",
  summary: "Download a whole list as a file",
  description:
    "Every row of a list of `/explorer/access`, from one revision, as CSV with a byte order mark. Five lines before the column names describe the file, as in `rolebook report`. Lists of people with access are sorted by user id, other lists as in `access`. Cells that a spreadsheet would run as a formula get a leading apostrophe.",
  parameters: LIST_PARAMETERS,
  ask(query) {
    const selected = selectedBy(query, ["revision"]);
    // Who is compared with their own role has no other person.
    const columns = selected.shape.columns.filter((name) => query.has("with") || !name.startsWith("other"));
    return async (asking) => {
      const { viewer } = asking;
      await selected.allow(asking);
      return {
        columns,
        head: (reading) => headOf(reading, viewer, query, selected),
        async *rows(reading) {
          const opened = await open(selected, reading, viewer);
          for (let after: string | undefined; ;) {
            const page = await opened.page({ after, limit: ROWS }, "id");
            const rows = await withoutUnseen(viewer, page.entries);
            yield rows.map((row) => columns.map((column) => CELLS[column](row)));
            if (page.next === undefined) return;
            after = page.next;
          }
        },
      };
    };
  },
};

/** The list that a request selects. */
interface SelectedList {
  readonly shape: DeclaredList;
  readonly list: ListOpener<FileRow>;
  /** `undefined` for a list of the whole organization. */
  readonly subject: SubjectName | undefined;
  readonly filter: Filter;
  /** Throws 403 or 404 if the caller may not read the list (docs/api.md). */
  allow(asker: Asker): Promise<void>;
}

/**
 * The list that a query selects. Every list accepts the parameters `shared`. Throws 400 if the query selects no list or
 * has a parameter that the list does not accept.
 */
function selectedBy(query: Query, shared: readonly string[]): SelectedList {
  const filter = filterOf(query);
  const { shape, subject } = shapeOf(query);
  if (shape.parameters.includes("earlier") && filter.guests === "none") {
    throw new ApiError("badRequest", 'The parameter guests is "none"; lists of changes accept: only.');
  }
  const named = subject === undefined ? ["list"] : [subject.kind, "tab"];
  only(query, [...named, ...shape.parameters, ...shared]);
  const states = statesIn(query, shape, subject);
  const team = shape.id === "within" ? idIn(query, "within") : undefined;
  const { id = "" } = subject ?? {};
  const key = subject === undefined ? contentKey("space", id) : keyIn(subject);
  return {
    shape,
    subject,
    filter,
    list: OPENING[shape.id]({ query, filter, subject, id, key, states, team: team ?? "" }),
    async allow(asker) {
      if (shape.compares) await mayCompare(asker, states, subject);
      else if (subject === undefined) mustSeeAll(asker, `list ${shape.name}`);
      else await mayList(asker, subject);
      const cause = shape.id === "changedOn" ? filter.through : team;
      if (cause !== undefined) await mayList(asker, { kind: "team", id: cause });
    },
  };
}

function shapeOf(query: Query): { shape: DeclaredList; subject: SubjectName | undefined } {
  const lists = listsFor(query);
  const parameter = query.has("list") ? "list" : "tab";
  const name = query.get(parameter);
  const accepted = (some: typeof lists) =>
    refused(parameter, name ?? "", some.map((each) => each.name).join(", "));
  if (parameter === "list") {
    const shape = lists.find((each) => each.name === name);
    if (shape === undefined) throw accepted(lists);
    return { shape, subject: undefined };
  }
  const comparing = lists.some(({ compares }) => compares);
  if (!comparing && !KINDS.some((kind) => query.has(kind))) {
    throw new ApiError(
      "badRequest",
      `The request names no list; accepted: one of ${KINDS.join(", ")}, list.`,
    );
  }
  const subject = subjectOf(query, comparing ? [...new Set(lists.flatMap(({ of }) => of))] : KINDS);
  const own = lists.filter(({ of }) => of.includes(subject.kind));
  const shape = name === undefined ? own[0] : own.find((each) => each.name === name);
  // A refusal of a content names the lists that every content has.
  if (shape === undefined) throw accepted(isContent(subject) ? own.filter(({ of }) => of.length > 1) : own);
  return { shape, subject };
}

/** What a request says about its list. */
interface AskedList {
  readonly query: Query;
  readonly filter: Filter;
  /** The subject, its id, and the content that it names; of the whole organization, the id is empty. */
  readonly subject: SubjectName | undefined;
  readonly id: string;
  readonly key: ContentKey;
  readonly states: States;
  readonly team: string;
}

const OPENING: Readonly<Record<ListId, (asked: AskedList) => ListOpener<FileRow>>> = {
  everyone: ({ subject, id, key, filter }) =>
    everyone(subject?.kind === "site" ? everyoneOnSite(id) : everyoneOn(key), filter),
  given: ({ key, filter }) => peopleGiven(key, filter),
  givenTeams: ({ key, filter }) => teamsGiven(key, filter),
  inside: ({ id, filter }) => contentsIn(id, filter),
  siteSpaces: ({ id, filter }) => spacesOf(id, filter),
  memberSpaces: ({ query, id, filter }) =>
    reachOf(id, filter, wordOf(query, "order", ["desc", "asc"]) ?? "desc"),
  memberTeams: ({ id, filter }) => teamsOf(id, filter),
  permissions: ({ id, filter }) => permissionsOf(id, filter),
  teamMembers: ({ id, filter }) => membersOf(id, filter),
  members: ({ filter }) => allMembers(filter),
  teams: ({ filter }) => allTeams(filter),
  contents: ({ query, filter }) => contentsWith(wordOf(query, "show", SETTINGS) ?? "closed", filter),
  found: ({ query, filter }) => found(filter, wordOf(query, "kind", KINDS)),
  withoutOn: ({ key, states, filter }) => withoutOn(key, states, filter),
  concerned: ({ states, filter }) => concerned(states, filter),
  pairs: ({ states, filter }) => pairs(states, filter),
  within: ({ key, team, filter }) => teamOn(key, team, filter),
  compared: ({ states, filter }) => comparedSpaces(states, undefined, filter),
  comparedIn: ({ subject, states, filter }) => comparedSpaces(states, subject, filter),
  changedOn: ({ key, states, filter }) => changedRows({ key }, states, filter),
  changedOf: ({ id, states, filter }) => changedRows({ user: id }, states, filter),
  changesBy: ({ id, states, filter }) => changedNodes(id, states, filter),
  changes: ({ states, filter }) => changedNodes(undefined, states, filter),
  opened: ({ id, filter }) => openedByTeam(id, filter),
};

async function open(
  { list, subject }: SelectedList,
  reading: Reading,
  viewer: Viewer,
): Promise<Opened<FileRow>> {
  const opened = await list(reading, viewer);
  if (opened === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
  return opened;
}

/**
 * The key after which a page continues if the first `rows` rows of the list are skipped; `undefined` if no rows are
 * left.
 */
async function keyAfter(
  opened: Opened<object>,
  rows: number,
  order: AccessOrder,
): Promise<string | undefined> {
  if (opened.keyOf !== undefined) return opened.keyOf(rows - 1, order);
  let after: string | undefined;
  for (let left = rows; left > 0;) {
    // A page may have fewer rows than its limit although more rows follow.
    const { entries, next } = await opened.page({ after, limit: Math.min(left, ROWS) }, order);
    if (next === undefined) return undefined;
    left -= entries.length;
    after = next;
  }
  return after;
}

type SubjectCounts = Pick<CountsAnswer, "roles" | "tabs">;

/** `undefined` if the subject does not exist. */
async function countsOf(reading: Reading, subject: SubjectName): Promise<SubjectCounts | undefined> {
  const { kind, id } = subject;
  if (isContent(subject)) {
    const key = keyIn(subject);
    const access = await accessOnContent(reading, key);
    if (access === undefined) return undefined;
    const [level] = (await ladderFor(reading, key)) ?? [];
    const roles = await roleCounts(reading, key, access);
    const people = (await directCounts(reading, [key])).get(key) ?? 0;
    return { roles, tabs: { everyone: totalOf(roles), people, teams: level?.teams.size ?? 0 } };
  }
  if (kind === "site") {
    const access = await accessOnSite(reading, id);
    if (access === undefined) return undefined;
    const roles = await roleCounts(reading, `site/${id}`, access);
    return { roles, tabs: { everyone: totalOf(roles), spaces: access.subjects.length } };
  }
  if (kind === "member") {
    const member = await memberOf(reading, id);
    if (member === undefined) return undefined;
    const roles = await spacesByRole(reading, member);
    return { roles, tabs: { spaces: totalOf(roles), teams: member.teams.length } };
  }
  const team = (await teamNodes(reading, [id])).get(id);
  if (team === undefined) return undefined;
  return { tabs: { permissions: await countGivenToTeam(reading, id), members: team.members } };
}

const SHOWN = {
  closed: "closed contents",
  broad: "contents with a default level of edit or stronger",
  deleted: "deleted spaces",
} as const;

/** The five header lines of a file, in the format of the header lines of `rolebook report`. */
async function headOf(
  reading: Reading,
  viewer: Viewer,
  query: Query,
  { shape, subject, filter }: SelectedList,
): Promise<string[][]> {
  const { at } = reading;
  const covers = [
    shape.id === "contents" ? SHOWN[wordOf(query, "show", SETTINGS) ?? "closed"] : shape.title,
    ...(subject === undefined
      ? ["the organization"]
      : [`${subject.kind} ${subject.id}`, oneLine(await nameOf(reading, viewer, subject))]),
    ...STATES.flatMap((name) => (query.has(name) ? [oneLine(`${name} ${query.get(name) ?? ""}`)] : [])),
    ...filterWords(filter),
  ];
  return [
    ["Rolebook list"],
    ["organization", at.organization, oneLine(at.title)],
    ["revision", String(at.revision)],
    ["imported", at.importedAt],
    ["covers", ...covers],
  ];
}

/** The filters, in a few words each. */
function filterWords(filter: Filter): string[] {
  const { q, role, least, reasons, through, guests, deleted, since, sort, changes, differs } = filter;
  return [
    ...(role === undefined ? [] : [`role ${role} only`]),
    ...(least === undefined ? [] : [`role ${least} or stronger`]),
    ...(reasons.length === 0 ? [] : [`reason ${reasons.join(" or ")}`]),
    ...(through === undefined ? [] : [`through team ${through}`]),
    ...(guests === undefined ? [] : [guests === "only" ? "guests only" : "no guests"]),
    ...(deleted === undefined ? [] : [deleted === "only" ? "deleted only" : "not deleted"]),
    ...(changes === undefined ? [] : [`change ${changes.join(" or ")}`]),
    ...(differs === undefined ? [] : [differs === "only" ? "differences only" : "no differences"]),
    ...(since === undefined ? [] : [`new since ${since}`]),
    ...(q === "" ? [] : [`filter ${oneLine(q)}`]),
    ...(sort === undefined ? [] : [sort === "id" ? "by id" : "strongest role first"]),
  ];
}

/** Replaces blanks, line ends and tabs by one space, because a header line must stay one line. */
function oneLine(title: string): string {
  return title.replaceAll(/[\s\p{Cc}]+/gu, " ");
}

/** What a row may have that a column shows; every row of a list has some of it. */
interface FileRow {
  readonly user?: Person;
  readonly team?: TeamNode;
  readonly space?: SpaceNode;
  readonly content?: ContentNode | ContentRef;
  readonly path?: readonly string[];
  readonly role?: string | null;
  readonly reason?: Reason;
  readonly createdAt?: string;
  readonly direction?: Direction;
  readonly before?: HeldRole | HeldThen | null;
  readonly after?: HeldRole | HeldThen | null;
  readonly differs?: boolean;
  readonly one?: HeldRole | null;
  readonly other?: HeldRole | null;
  readonly counts?: Effect;
  readonly effect?: Effect;
  readonly contents?: number;
  readonly sentence?: Phrase;
  readonly what?: readonly Phrase[];
  /** Of what a search finds. */
  readonly kind?: SubjectKind;
  readonly id?: string;
  readonly title?: string;
  readonly displayName?: string;
  readonly email?: string;
}

/** The content, the space or the team of a row, or else the row itself. */
function named(row: FileRow): {
  readonly kind?: string;
  readonly id?: string;
  readonly title?: string;
  readonly defaultLevel?: DefaultLevel;
  readonly deletedAt?: string;
} {
  return row.content ?? row.space ?? row.team ?? row;
}

function becauseOf(held: Partial<HeldRole & HeldThen> | null | undefined): string {
  return held?.reason === undefined ? (held?.because ?? "") : plain(held.reason.because);
}

/** The cell of each column. */
const CELLS: Readonly<Record<ListColumn, (row: FileRow) => string>> = {
  kind: (row) => named(row).kind ?? (row.user === undefined ? "" : "user"),
  id: (row) => row.user?.id ?? named(row).id ?? "",
  content: (row) => row.content?.id ?? "",
  user: (row) => row.user?.id ?? "",
  title: (row) => named(row).title ?? row.user?.displayName ?? row.displayName ?? "",
  name: (row) => row.user?.displayName ?? "",
  email: (row) => row.user?.email ?? row.email ?? "",
  path: ({ path = [] }) => path.join(" / "),
  defaultLevel: (row) => named(row).defaultLevel ?? "null",
  deletedAt: (row) => named(row).deletedAt ?? "",
  visibility: ({ space }) => space?.visibility ?? "",
  members: ({ team }) => String(team?.members ?? ""),
  spaces: ({ team }) => String(team?.spaces ?? ""),
  createdAt: ({ createdAt, team }) => createdAt ?? team?.createdAt ?? "",
  contents: ({ contents }) => String(contents ?? ""),
  // A guest has no organization role.
  role: ({ role, one }) => (role === null ? "guest" : (role ?? one?.role ?? "")),
  because: ({ what, reason, one, before }) =>
    what?.map(plain).join("; ") ?? (reason === undefined ? becauseOf(one ?? before) : plain(reason.because)),
  differs: ({ differs = false }) => (differs ? "yes" : "no"),
  otherRole: ({ other }) => other?.role ?? "",
  otherBecause: ({ other }) => becauseOf(other),
  change: ({ direction = "" }) => direction,
  before: ({ before }) => before?.role ?? "",
  after: ({ after }) => after?.role ?? "",
  becauseAfter: ({ after }) => becauseOf(after),
  sentence: ({ sentence = [] }) => plain(sentence),
  lost: effectIn("lost"),
  lowered: effectIn("lowered"),
  raised: effectIn("raised"),
  gained: effectIn("gained"),
};

function effectIn(direction: Direction): (row: FileRow) => string {
  return ({ counts, effect }) => String((counts ?? effect)?.[direction] ?? "");
}
