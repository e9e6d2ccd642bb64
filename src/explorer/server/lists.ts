/**
 * The three requests about lists: a page of a list, its length, and its file. A request selects one list of the table in
 * wire/lists.ts; each list is opened by a function of its own, at the revision that is read.
 */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { ApiError } from "../../domain/error.ts";
import { absent } from "../../operations/authorize.ts";
import { lengthOf } from "../../model/lists.ts";
import { findContent, findMember, findSite, findTeam, type Model } from "../../model/model.ts";
import { type ListSubject, rolesIn } from "../../model/sheets.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { inTurns, workInTurns } from "../../store/turns.ts";
import type { CountsAnswer } from "../wire/answers.ts";
import {
  type DeclaredList,
  FILTERS,
  type ListId,
  SETTINGS,
  SORTS,
  STATES,
  type TeamRow,
  listsFor,
} from "../wire/lists.ts";
import { KINDS, type Stamp, type TeamNode } from "../wire/protocol.ts";
import { changedRows, changedNodes } from "./changes.ts";
import { byTitle } from "./by-name.ts";
import { comparedSpaces } from "./comparison.ts";
import { contentsIn, contentsWith } from "./contents.ts";
import { CELLS, FILES, type FileRow, headOf } from "./files.ts";
import { found } from "./found.ts";
import { type AccessOrder, type ListOpener, type Opened, totalOf } from "./list.ts";
import { countsByRole } from "./listed.ts";
import type { ExplorerOperation, FileOperation, ParsedRequest } from "./operation.ts";
import {
  allMembers,
  everyone,
  everyoneOn,
  everyoneOnSite,
  membersOf,
  peopleGiven,
  peopleOnSite,
  teamOn,
} from "./people.ts";
import {
  type Filter,
  type ParameterName,
  type Query,
  type SubjectName,
  contentsOf,
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
import { openedByTeam, reachOf } from "./reach.ts";
import { permissionsOf, spacesOf } from "./spaces.ts";
import { type States, mayCompare, statesIn } from "./states.ts";
import { allTeams, teamsGiven, teamsOf, teamsOnSite } from "./teams.ts";
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
    "For a content or a site: the number of members with each effective role. For a member: the number of spaces on which they have each. Also the length of each list of `access` and, with a list's `tab` and filters, the number of rows that pass them. With `contents`, the numbers of several contents. Computed once per revision.",
  parameters: [...LIST_PARAMETERS, "contents"],
  takes: "revision",
  ask(query) {
    if (query.has("contents")) return countsOfSeveral(query);
    const selected = selectedBy(query, ["revision"]);
    const { subject, filter } = selected;
    return async (asking) => {
      await selected.allow(asking);
      const { reading, viewer } = asking;
      const found = subject === undefined ? { tabs: {} } : await countsOf(await modelOf(reading), subject);
      const opened = isFiltering(filter) ? await open(selected, reading, viewer) : undefined;
      if (found === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
      const filtered = await opened?.count();
      const fields: Omit<CountsAnswer, keyof Stamp> = { ...found, ...(filtered && { filtered }) };
      return { of: "thing", fields };
    };
  },
};

/** The number of rows per part of a file. */
const ROWS = 500;

export const csv: FileOperation = {
  id: "explorerCsv",
  path: "/explorer/csv",
  summary: "Download a whole list as a file",
  description:
    "Every row of a list of `/explorer/access`, from one revision, as CSV with a byte order mark. Five lines before the column names describe the file, as in `rolebook report`. Lists of people with access are sorted by user id, other lists as in `access`. Cells that a spreadsheet would run as a formula get a leading apostrophe.",
  parameters: LIST_PARAMETERS,
  ask(query) {
    const selected = selectedBy(query, ["revision"]);
    const { shape, subject, filter } = selected;
    // Who is compared with their own role has no other person.
    const columns = FILES[shape.id].columns.filter((name) => query.has("with") || !name.startsWith("other"));
    return async (asking) => {
      const { viewer } = asking;
      await selected.allow(asking);
      return {
        columns,
        head: (reading) => headOf(reading, viewer, query, shape.id, subject, filter),
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
  wordOf(query, "sort", shape.sorts ?? SORTS);
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
  givenTeams: ({ key, filter }) => byTitle(teamsGiven(key, filter), filter, teamIn),
  inside: ({ id, filter }) => contentsIn(id, filter),
  sitePeople: ({ id, filter }) => peopleOnSite(id, filter),
  siteTeams: ({ id, filter }) => byTitle(teamsOnSite(id, filter), filter, teamIn),
  siteSpaces: ({ id, filter }) => spacesOf(id, filter),
  memberSpaces: ({ query, id, filter }) =>
    reachOf(id, filter, wordOf(query, "order", ["desc", "asc"]) ?? "desc"),
  memberTeams: ({ id, filter }) => byTitle(teamsOf(id, filter), filter, teamIn),
  permissions: ({ id, filter }) =>
    byTitle(permissionsOf(id, filter), filter, ({ content: { kind, id: own, title } }) => ({
      id: contentKey(kind, own),
      title,
    })),
  teamMembers: ({ id, filter }) => membersOf(id, filter),
  members: ({ filter }) => allMembers(filter),
  teams: ({ filter }) => byTitle(allTeams(filter), filter, teamIn),
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

function teamIn({ team }: TeamRow): TeamNode {
  return team;
}

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

/** The counts of each content that the caller may list. */
function countsOfSeveral(query: Query): ParsedRequest {
  only(query, ["contents", "revision"]);
  const subjects = contentsOf(query);
  return async (asking) => {
    const contents: Record<string, SubjectCounts> = {};
    const model = await modelOf(asking.reading);
    for await (const subject of inTurns(subjects)) {
      const refusal = await mayList(asking, subject).catch((error: unknown) => error);
      if (refusal instanceof ApiError) continue;
      if (refusal !== undefined) throw refusal;
      const found = await countsOf(model, subject);
      if (found !== undefined) contents[keyIn(subject)] = found;
    }
    const fields: Omit<CountsAnswer, keyof Stamp> = { tabs: {}, contents };
    return { of: "thing", fields };
  };
}

/** `undefined` if the subject does not exist. */
async function countsOf(model: Model, subject: SubjectName): Promise<SubjectCounts | undefined> {
  const { kind, id } = subject;
  const rolesOf = async (list: ListSubject) => countsByRole(await workInTurns(rolesIn(model, list)));
  const { contents, sites, members, teams } = model;
  if (isContent(subject)) {
    const content = findContent(model, keyIn(subject));
    if (content === undefined) return undefined;
    const roles = await rolesOf({ of: "content", content });
    const people = lengthOf(contents.users, content);
    return { roles, tabs: { everyone: totalOf(roles), people, teams: lengthOf(contents.teams, content) } };
  }
  if (kind === "site") {
    const site = findSite(model, id);
    if (site === undefined) return undefined;
    const roles = await rolesOf({ of: "site", site });
    const people = lengthOf(sites.users, site);
    const given = lengthOf(sites.teams, site);
    const spaces = lengthOf(sites.spaces, site);
    return { roles, tabs: { everyone: totalOf(roles), people, teams: given, spaces } };
  }
  if (kind === "member") {
    const member = findMember(model, id);
    if (member === undefined) return undefined;
    const roles = await rolesOf({ of: "spaces", member });
    return { roles, tabs: { spaces: totalOf(roles), teams: lengthOf(members.teams, member) } };
  }
  const team = findTeam(model, id);
  if (team === undefined) return undefined;
  return {
    tabs: { permissions: lengthOf(teams.permissions, team), members: lengthOf(teams.members, team) },
  };
}
