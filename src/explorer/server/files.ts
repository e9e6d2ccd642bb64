/** A list as a file: the lines above its columns, and the cell of each column. */
import type { DefaultLevel } from "../../domain/content.ts";
import { type Direction, type Effect, rolesText } from "../../domain/difference.ts";
import { type ContentRef, type Phrase, type Reason, plain } from "../../domain/reason.ts";
import { oneLine } from "../../domain/text.ts";
import type { Person } from "../../domain/why.ts";
import type { Reading } from "../../store/reading.ts";
import {
  type ChangedNode,
  type DeclaredList,
  type HeldRole,
  type HeldThen,
  LISTS,
  type ListId,
  SETTINGS,
  STATES,
} from "../wire/lists.ts";
import type { ContentNode, SubjectKind, SpaceNode, TeamNode } from "../wire/protocol.ts";
import { nameOf } from "./nodes.ts";
import { type Filter, type Query, type SubjectName, wordOf } from "./query.ts";
import type { Viewer } from "./viewer.ts";

const PERSON = ["id", "name", "email"] as const;
const HOLDER = [...PERSON, "role", "because"] as const;
const TEAM = ["id", "title", "role", "members", "spaces"] as const;
const PLACED = ["id", "title", "path"] as const;
const PLACED_OF_KIND = ["kind", ...PLACED] as const;
const SETTING = [...PLACED_OF_KIND, "defaultLevel", "deletedAt"] as const;
const ON_CONTENT = ["kind", "content", "title", "path"] as const;
const SIDES = ["change", "before", "because", "after", "becauseAfter"] as const;
const EFFECT = ["lost", "lowered", "raised", "gained"] as const;
const CHANGED = [...ON_CONTENT, "user", "name", "email", ...SIDES, "sentence"] as const;
const CHANGES = [...PLACED_OF_KIND, "contents", "before", "after", ...EFFECT, "because"] as const;
const COMPARED = [...PLACED, "differs", "role", "because", "otherRole", "otherBecause"] as const;

/** What the header of each list's file says that it has, and its columns. */
export const FILES = {
  everyone: { title: "everyone with access", columns: HOLDER },
  given: { title: "people with a direct permission", columns: HOLDER },
  givenTeams: { title: "teams", columns: TEAM },
  inside: { title: "contents of the collection", columns: SETTING },
  sitePeople: { title: "people with a permission on the site", columns: [...PERSON, "role"] },
  siteTeams: { title: "teams with a permission on the site", columns: TEAM },
  siteSpaces: { title: "spaces", columns: [...PLACED, "defaultLevel", "asks", "visibility"] },
  memberSpaces: { title: "spaces", columns: [...PLACED, "role", "createdAt", "because"] },
  memberTeams: { title: "teams", columns: TEAM },
  permissions: { title: "permissions of the team", columns: [...PLACED_OF_KIND, "role"] },
  teamMembers: { title: "members", columns: [...PERSON, "role"] },
  members: { title: "members", columns: [...PERSON, "role"] },
  teams: { title: "teams", columns: ["id", "title", "members", "spaces", "createdAt"] },
  contents: { title: "closed contents", columns: SETTING },
  found: { title: "everything that a search finds", columns: [...PLACED_OF_KIND, "email"] },
  withoutOn: { title: "people whose role would differ", columns: [...PERSON, ...SIDES] },
  concerned: { title: "contents on which roles would differ", columns: [...ON_CONTENT, ...EFFECT] },
  pairs: {
    title: "people whose role would differ, by content",
    columns: [...ON_CONTENT, ...PERSON, ...SIDES],
  },
  within: { title: "members of a team", columns: HOLDER },
  compared: { title: "spaces compared", columns: COMPARED },
  comparedIn: { title: "spaces compared", columns: COMPARED },
  changedOn: { title: "what changed", columns: CHANGED },
  changedOf: { title: "what changed", columns: CHANGED },
  changesBy: { title: "what changed", columns: CHANGES },
  changes: { title: "what changed", columns: CHANGES },
  opened: { title: "spaces that the team opens", columns: [...PLACED, "role", "because"] },
} as const satisfies Readonly<
  Record<ListId, { readonly title: string; readonly columns: readonly string[] }>
>;

export type ListColumn = (typeof FILES)[ListId]["columns"][number];

const SHOWN = {
  closed: "closed contents",
  broad: "contents with a default level of edit or stronger",
  deleted: "deleted spaces",
  spaces: "spaces",
  collections: "collections",
} as const;

/** The five header lines of a file, in the format of the header lines of `rolebook report`. */
export async function headOf(
  reading: Reading,
  viewer: Viewer,
  query: Query,
  list: ListId,
  subject: SubjectName | undefined,
  filter: Filter,
): Promise<string[][]> {
  const { at } = reading;
  const covers = [
    list === "contents" ? SHOWN[wordOf(query, "show", SETTINGS) ?? "closed"] : FILES[list].title,
    ...(subject === undefined
      ? ["the organization"]
      : [`${subject.kind} ${subject.id}`, oneLine(await nameOf(reading, viewer, subject))]),
    ...STATES.flatMap((name) => (query.has(name) ? [oneLine(`${name} ${query.get(name) ?? ""}`)] : [])),
    ...filterWords(filter, list),
  ];
  return [
    ["Rolebook list"],
    ["organization", at.organization, oneLine(at.title)],
    ["revision", String(at.revision)],
    ["imported", at.importedAt],
    ["covers", ...covers],
  ];
}

const ORDER_WORDS = { strongest: "strongest role first", id: "by id", name: "by name" } as const;

/** The filters, in a few words each. */
function filterWords(filter: Filter, list: ListId): string[] {
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
    ...(since === undefined ? [] : [`${hasRoles(list) ? "new or risen" : "new"} since ${since}`]),
    ...(q === "" ? [] : [`filter ${oneLine(q)}`]),
    ...(sort === undefined ? [] : [ORDER_WORDS[sort]]),
  ];
}

/** Whether the rows of a list have roles, which may rise. */
function hasRoles(list: ListId): boolean {
  const shapes: readonly DeclaredList[] = LISTS;
  return shapes.some(({ id, parameters }) => id === list && parameters.includes("role"));
}

/** What a row may have that a column shows; every row of a list has some of it. */
export interface FileRow {
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
  readonly had?: ChangedNode["had"];
  readonly has?: ChangedNode["has"];
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
export const CELLS: Readonly<Record<ListColumn, (row: FileRow) => string>> = {
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
  asks: ({ space }) => (space?.defaultLevel === "inherit" ? "yes" : "no"),
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
  before: ({ before, had, contents = 0 }) =>
    had === undefined ? (before?.role ?? "") : rolesText(had.role, had.contents, contents),
  after: ({ after, has, contents = 0 }) =>
    has === undefined ? (after?.role ?? "") : rolesText(has.role, has.contents, contents),
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
