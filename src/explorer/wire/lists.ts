/**
 * The lists of GET /explorer/access, and of GET /explorer/csv as files: which subjects have a list, and which parameters
 * the list accepts. The server, its OpenAPI document and the page follow from this table; the columns of files are in
 * server/files.ts. The rows are below. See protocol.ts.
 *
 * Authorization: contents as for endpoints 1 to 6 (403 for callers who see the content but are neither `create` nor
 * `admin` there); sites as for endpoint 8; a member's lists as for 7 and 9; teams and lists of the whole organization
 * require an organization token or an organization admin (otherwise 403). Lists without a source of access: as for
 * GET /explorer/without; callers who do not see everything get neither users who would gain access nor reasons on contents
 * that they do not see. A parameter that a list does not have is a 400.
 *
 * A file has all rows from one revision. A byte order mark precedes five lines like those of `rolebook report`:
 * `Rolebook list`, `organization`, `revision`, `imported` and `covers`; the sixth has the column names. People with access
 * are sorted by user id, other lists as on the page. Cells that start with `=`, `+`, `-`, `@`, tab or CR get a leading `'`.
 * Paths are joined with ` / `; a closed default level is `null`, a guest's organization role `guest`. A file is complete if
 * and only if the response ends without an error; `X-Rolebook-Revision` has its revision.
 */
import type { Direction, Effect } from "../../domain/difference.ts";
import type { ContentRef, Phrase, Reason, Titled } from "../../domain/reason.ts";
import type { Role, RoleCounts } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import type { ContentNode, SubjectKind, SpaceNode, TeamNode } from "./protocol.ts";

/**
 * The parameters that filter or sort a list. `q` matches people, contents and teams as GET /explorer/search does. In a
 * list of differences, the role, the reason and the team must be those of one side, before or after.
 */
export const FILTERS = [
  "q",
  "role",
  "least",
  "reason",
  "through",
  "guests",
  "deleted",
  "since",
  "sort",
  "change",
  "differs",
] as const;

/** The parameters that name the states which a list compares, or the team or user that selects its rows. */
export const STATES = ["without", "within", "user", "with", "earlier", "later"] as const;

export type ListParameter = (typeof FILTERS)[number] | (typeof STATES)[number] | "order" | "show" | "kind";

/** Groups of reasons. `organization` includes the access of organization admins. */
export const REASONS = ["organization", "direct", "team", "default"] as const;
/** `only`: only guests, deleted spaces or differing rows; `none`: none of them. */
export const PRESENCES = ["only", "none"] as const;
/** Strongest role first; by id, which for a member's spaces is by creation; by name or title. */
export const SORTS = ["strongest", "id", "name"] as const;
/** A list of more rows cannot be sorted by name: a server would read all of them before it answers. */
export const MOST_BY_NAME = 50_000;
/** Contents with a closed default level, contents with `edit` or stronger, and deleted spaces; all spaces, all collections. */
export const SETTINGS = ["closed", "broad", "deleted", "spaces", "collections"] as const;

interface ListShape<Id extends string = string> {
  readonly id: Id;
  /** The value of `tab`, or of `list` if the list is one of the whole organization. */
  readonly name: string;
  /** The kinds of subjects that have the list; none for a list of the whole organization. */
  readonly of: readonly SubjectKind[];
  /** What filters, sorts and selects the rows, in the order in which a refusal names it. */
  readonly parameters: readonly ListParameter[];
  /** What `sort` accepts, the default first; absent if the list has one order. */
  readonly sorts?: readonly (typeof SORTS)[number][];
  /** Whether the list compares two states: two revisions, one with and without a source, or the roles of two people. */
  readonly compares?: true;
  /** Whether the page reads the list in turn, because the server cannot begin at the nth row (`from`) at once. */
  readonly isInTurn?: true;
}

const OWN = ["q", "since"] as const;
const PEOPLE = ["role", "least", "guests", "sort"] as const;
const HELD = ["role", "least", "reason", "through"] as const;

const BY_ROLE = ["strongest", "name"] as const;
const BY_ID = ["id", "name"] as const;

const CONTENT = ["space", "collection"] as const;
/** All lists. The first list of a kind of subject is its default. */
export const LISTS = [
  // Strongest role first, then by user id.
  {
    id: "everyone",
    name: "everyone",
    of: [...CONTENT, "site"],
    parameters: [...PEOPLE, "reason", "through", ...OWN],
    sorts: SORTS,
  },
  {
    id: "given",
    name: "people",
    of: CONTENT,
    parameters: [...PEOPLE, ...OWN],
    sorts: SORTS,
  },
  // Strongest role first, then by team id.
  {
    id: "givenTeams",
    name: "teams",
    of: CONTENT,
    parameters: ["role", "least", "sort", ...OWN],
    sorts: BY_ROLE,
  },
  // What a site itself says. By user id.
  {
    id: "sitePeople",
    name: "people",
    of: ["site"],
    parameters: OWN,
  },
  // Strongest role first, no access last; then by team id.
  {
    id: "siteTeams",
    name: "teams",
    of: ["site"],
    parameters: OWN,
  },
  // Collections first, by title.
  {
    id: "inside",
    name: "contents",
    of: ["collection"],
    parameters: ["deleted", ...OWN],
  },
  // By title, then id.
  {
    id: "siteSpaces",
    name: "spaces",
    of: ["site"],
    parameters: ["deleted", ...OWN],
  },
  // By creation, then id; the latest first.
  {
    id: "memberSpaces",
    name: "spaces",
    of: ["member"],
    parameters: [...HELD, "deleted", "order", "sort", ...OWN],
    sorts: ["id", "strongest", "name"],
  },
  // By team id.
  {
    id: "memberTeams",
    name: "teams",
    of: ["member"],
    parameters: ["sort", ...OWN],
    sorts: BY_ID,
  },
  // Strongest role first, then by kind and id.
  {
    id: "permissions",
    name: "permissions",
    of: ["team"],
    parameters: ["role", "least", "deleted", "sort", ...OWN],
    sorts: BY_ROLE,
  },
  // By user id.
  {
    id: "teamMembers",
    name: "members",
    of: ["team"],
    parameters: ["guests", "sort", ...OWN],
    sorts: BY_ID,
  },
  // By user id. `role` is the organization role.
  {
    id: "members",
    name: "members",
    of: [],
    parameters: ["role", "guests", "sort", ...OWN],
    sorts: BY_ID,
  },
  // By team id.
  {
    id: "teams",
    name: "teams",
    of: [],
    parameters: ["sort", ...OWN],
    sorts: BY_ID,
  },
  // Collections first, by title. `show` is one of SETTINGS, by default the first.
  {
    id: "contents",
    name: "contents",
    of: [],
    parameters: ["show", ...OWN],
  },
  // Collections, spaces, sites and teams by title, then members by id. Only of this `kind`, if it is given.
  {
    id: "found",
    name: "found",
    of: [],
    parameters: ["kind", ...OWN],
  },

  // Losses of access, lower roles, higher roles, gains; then by user id.
  {
    id: "withoutOn",
    name: "without",
    of: CONTENT,
    parameters: ["without", "q", ...HELD, "guests", "change"],
    compares: true,
    isInTurn: true,
  },
  // The contents that a source affects: collections first, by title.
  {
    id: "concerned",
    name: "contents",
    of: [],
    parameters: ["without", "q"],
    compares: true,
    isInTurn: true,
  },
  // On each of these contents, the users as in the list of one content. A page ends early, with a next one, if a filter
  // leaves few rows on very many contents.
  {
    id: "pairs",
    name: "pairs",
    of: [],
    parameters: ["without", "q", ...HELD, "guests", "change"],
    compares: true,
    isInTurn: true,
  },
  // The members of a team, strongest role first, then by user id.
  {
    id: "within",
    name: "within",
    of: CONTENT,
    parameters: ["within", "q", ...HELD, "guests", "sort"],
    sorts: SORTS,
    compares: true,
    isInTurn: true,
  },
  // Two people over all spaces. Differences first, by creation, then id.
  {
    id: "compared",
    name: "compare",
    of: ["member"],
    parameters: ["with", "q", ...HELD, "deleted", "differs"],
    compares: true,
    isInTurn: true,
  },
  // The spaces in it. Without `with`, the user's role on each is compared with their role on the whole.
  {
    id: "comparedIn",
    name: "compare",
    of: ["collection", "site"],
    parameters: ["with", "user", "q", ...HELD, "deleted", "differs"],
    compares: true,
    isInTurn: true,
  },
  // By user id. `through` is the team whose changed records caused the differences. Pages end early, as those of pairs.
  {
    id: "changedOn",
    name: "changes",
    of: CONTENT,
    parameters: ["earlier", "later", "q", "role", "least", "change", "guests", "reason", "through"],
    compares: true,
  },
  // By kind and id of the content.
  {
    id: "changedOf",
    name: "changes",
    of: ["member"],
    parameters: ["earlier", "later", "q", "role", "least", "change", "reason"],
    compares: true,
  },
  // The contents on which the team's changed records affect anybody.
  {
    id: "changesBy",
    name: "changes",
    of: ["team"],
    parameters: ["earlier", "later", "q", "role", "least", "change", "guests"],
    compares: true,
  },
  // People who joined, left or have another organization role, then contents.
  {
    id: "changes",
    name: "changes",
    of: [],
    parameters: ["earlier", "later", "q", "role", "least", "change", "guests"],
    compares: true,
  },
  // The spaces that the team's permissions open, by creation, then id.
  {
    id: "opened",
    name: "reach",
    of: ["team"],
    parameters: ["q", "role", "least", "deleted"],
    compares: true,
    isInTurn: true,
  },
] as const satisfies readonly ListShape[];

export type ListId = (typeof LISTS)[number]["id"];
export type DeclaredList = ListShape<ListId>;

/** The list that a request of the page selects; `undefined` if it selects none. */
export function listOf(query: Pick<ReadonlyMap<string, string>, "get" | "has">): DeclaredList | undefined {
  const name = query.get("list") ?? query.get("tab");
  const own = listsFor(query).filter(({ of }) => of.length === 0 || of.some((kind) => query.has(kind)));
  return name === undefined ? own[0] : own.find((each) => each.name === name);
}

/** The lists that a request may mean: it chooses among them by its subject, and by `tab` or `list`. */
export function listsFor(query: Pick<ReadonlyMap<string, string>, "get" | "has">): readonly DeclaredList[] {
  const isWhole = query.has("list");
  const name = query.get(isWhole ? "list" : "tab");
  const shapes: readonly DeclaredList[] = LISTS;
  const lists = shapes.filter(
    ({ of, parameters }) =>
      (of.length === 0) === isWhole && parameters.includes("without") === query.has("without"),
  );
  const comparing = lists.filter((each) => each.compares && (query.has("without") || each.name === name));
  return comparing.length > 0 ? comparing : lists.filter(({ compares }) => !compares);
}

export type ListTab = "everyone" | "people" | "teams" | "contents" | "spaces" | "permissions" | "members";

/** A role, and what gives it. */
export interface HeldRole {
  readonly role: Role;
  readonly reason: Reason;
}

/**
 * A user with a role. With `tab=people`, the role is that of the direct permission, and the reason "direct permission
 * here".
 */
export interface AccessRow extends HeldRole {
  readonly user: Person;
}

export interface TeamRow {
  readonly team: TeamNode;
  /**
   * On a content or a site: the role of the team's permission. In a member's teams: `owner` or `member`. Absent in
   * `list=teams`.
   */
  readonly role?: Role | NoAccess | TeamRole;
}
/** A permission on a site may take access away. */
export type NoAccess = "none";
export type TeamRole = "owner" | "member";

export interface TeamMemberRow {
  readonly user: Person;
  readonly role: TeamRole;
}

/** A user with a direct permission on a site. */
export interface SitePersonRow {
  readonly user: Person;
  readonly role: Role | NoAccess;
}

/** `role` is the organization role, `null` for a guest. */
export interface MemberRow {
  readonly user: Person;
  readonly role: Role | null;
}

/** `path` has the titles of the collections above the content, topmost first. */
export interface ContentRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
}

/** A content on which a team has a permission. */
export interface GivenRow extends ContentRow {
  readonly role: Role;
}

export interface SpaceRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
}

/** A space to which a member has access. */
export interface ReachRow extends SpaceRow, HeldRole {
  readonly createdAt: string;
  readonly deletedAt?: string;
}

/** A subject that a search finds. */
export type SearchHit =
  | (Titled & {
      readonly kind: "space";
      readonly emoji?: string;
      readonly deletedAt?: string;
      /** The titles of its ancestors, topmost first. */
      readonly path: readonly string[];
    })
  | (Titled & { readonly kind: "collection"; readonly path: readonly string[] })
  | (Titled & { readonly kind: "site"; readonly spaces: number })
  | (Titled & { readonly kind: "team"; readonly members: number })
  | (Person & {
      readonly kind: "member";
      /**
       * The effective role on the content or site of a search, `null` for none; absent if the request names neither.
       */
      readonly role?: Role | null;
    });

/** A user whose role differs without a source of access; `null` is no access. */
export interface WithoutRow {
  readonly user: Person;
  readonly direction: Direction;
  readonly before: HeldRole | null;
  readonly after: HeldRole | null;
}

/** One of the users whose role differs, and the content on which it does. */
export interface PairRow extends WithoutRow, ContentRow {}

export interface ConcernedRow extends ContentRow {
  /** Only in CSV files. The page requests the counts of the rows on the screen separately. */
  readonly counts?: Effect;
}

/** A space to which a team gives its members access. `role` and `reason` are those of the permission that decides. */
export interface OpenedRow extends SpaceRow, HeldRole {}

/** A space with the roles of two people, or of one person and a fixed role; `null` is no access. */
export interface CompareRow extends SpaceRow {
  readonly differs: boolean;
  readonly one: HeldRole | null;
  readonly other?: HeldRole | null;
}

/** A user whose role on a content differs between two revisions. */
export interface ChangedRow {
  readonly content: ContentRef;
  readonly path: readonly string[];
  readonly user: Person;
  readonly direction: Direction;
  readonly before: HeldThen | null;
  readonly after: HeldThen | null;
  /** For example "gained edit, because team Docs was given edit on collection Handbook in revision 41". */
  readonly sentence: Phrase;
}

/** A role, with its reason for callers who see everything. */
export interface HeldThen {
  readonly role: Role;
  readonly because?: string;
}

/** A member's organization role, `null` for a guest, and on how many of the contents in question they have each role. */
interface RolesThen {
  readonly role: Role | null;
  readonly contents: RoleCounts;
}

export interface ChangedNode {
  /** A person who joined, left or has another organization role, with the number of contents on which the role differs. */
  readonly user?: Person;
  readonly contents?: number;
  /** The person's roles on these contents before and after; absent where the person is not a member. */
  readonly had?: RolesThen;
  readonly has?: RolesThen;
  /**
   * A content on which the roles of people without such a change differ, or of newcomers who have more or less there than
   * their organization role and default levels give.
   */
  readonly content?: ContentRef;
  readonly path?: readonly string[];
  readonly effect?: Effect;
  readonly what: readonly Phrase[];
  readonly more: number;
}
