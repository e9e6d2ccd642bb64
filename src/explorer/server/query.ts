/** Parses the explorer's query parameters (contract, section 6). */
import { type ContentKey, type ContentKind, contentKey } from "../../domain/content.ts";
import { DATE_TIME_ACCEPTS, normaliseDate } from "../../domain/date.ts";
import { DIRECTIONS, type Direction } from "../../domain/difference.ts";
import { ApiError } from "../../domain/error.ts";
import type { Rule } from "../../domain/ladder.ts";
import { ROLES, type Role, isRole, rank } from "../../domain/role.ts";
import { quote } from "../../domain/text.ts";
import { absent } from "../../operations/authorize.ts";
import { LONGEST_ID } from "../../operations/parameters.ts";
import { tidy } from "../../store/schema/search-terms.ts";

/** The query parameters, decoded but not checked. A repeated parameter was refused before. */
export type Query = ReadonlyMap<string, string>;

export type ParameterName =
  | "space"
  | "collection"
  | "site"
  | "member"
  | "team"
  | "list"
  | "show"
  | "parent"
  | "kind"
  | "tab"
  | "role"
  | "order"
  | "sort"
  | "q"
  | "least"
  | "reason"
  | "through"
  | "guests"
  | "deleted"
  | "since"
  | "change"
  | "differs"
  | "user"
  | "without"
  | "within"
  | "with"
  | "from"
  | "until"
  | "before"
  | "earlier"
  | "later"
  | "covers"
  | "rule";

export const KINDS = ["space", "collection", "site", "member", "team"] as const;
export type Kind = (typeof KINDS)[number];

export interface Subject {
  readonly kind: Kind;
  readonly id: string;
}

/** The one subject that a query names. Throws 400 for none or several, and 404 for an invalid id. */
export function subjectOf(query: Query, kinds: readonly Kind[] = KINDS): Subject {
  const given = kinds.filter((kind) => query.has(kind));
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw new ApiError(
      "badRequest",
      `The request must name one subject; accepted: one of ${kinds.join(", ")}.`,
    );
  }
  return { kind, id: idIn(query, kind) };
}

/** Throws 404 if the id is invalid, as `/v1` does for an invalid id in a path. */
export function idIn(query: Query, name: ParameterName): string {
  const id = query.get(name) ?? "";
  if (id === "" || id.includes("\0") || [...id].length > LONGEST_ID) throw absent(name, id);
  return id;
}

export function isContent(subject: Subject): subject is Subject & { readonly kind: ContentKind } {
  return subject.kind === "space" || subject.kind === "collection";
}

export function keyOf({ kind, id }: { readonly kind: ContentKind; readonly id: string }): ContentKey {
  return contentKey(kind, id);
}

/** The content key of a subject whose kind is `space` or `collection`. */
export function keyIn({ kind, id }: Subject): ContentKey {
  return contentKey(kind === "collection" ? "collection" : "space", id);
}

/** A whole number; 0 if the parameter is absent. Throws 400 for any other text. */
export function countOf(query: Query, name: ParameterName): number {
  const value = query.get(name) ?? "0";
  if (/^(0|[1-9]\d{0,8})$/.test(value)) return Number(value);
  throw refused(name, value, "a whole number from 0 to 999999999");
}

/** One of the given words; the first one if the parameter is absent. Throws 400 for any other text. */
export function wordOf<Word extends string>(
  query: Query,
  name: ParameterName,
  accepted: readonly [Word, ...Word[]],
): Word {
  const value = query.get(name);
  if (value === undefined) return accepted[0];
  const word = accepted.find((each) => each === value);
  if (word === undefined) throw refused(name, value, accepted.join(", "));
  return word;
}

/** Returns `undefined` if the parameter is absent. Throws 400 for any text that is not a role. */
function roleOf(query: Query, name: "role" | "least"): Role | undefined {
  const value = query.get(name);
  if (value === undefined || isRole(value)) return value;
  throw refused(name, value, ROLES.join(", "));
}

/** The search text; `""` if the parameter is absent. Throws 400 for U+0000. */
export function textOf(query: Query): string {
  const value = query.get("q") ?? "";
  if (value.includes("\0")) throw refused("q", value, "text without U+0000");
  return value;
}

/** A time, normalized to ISO 8601 in UTC. Throws 400 for any other text. */
export function timeOf(query: Query, name: ParameterName): string {
  const value = query.get(name) ?? "";
  const time = normaliseDate(value);
  if (time === undefined) throw refused(name, value, DATE_TIME_ACCEPTS);
  return time;
}

/** Throws 400 for a parameter that is not accepted. */
export function only(query: Query, accepted: readonly string[]): void {
  for (const name of query.keys()) {
    if (accepted.includes(name)) continue;
    throw new ApiError(
      "badRequest",
      `This list has no parameter ${quote(name)}; accepted: ${accepted.join(", ")}.`,
    );
  }
}

function refused(name: string, value: string, accepted: string): ApiError {
  return new ApiError("badRequest", `The parameter ${name} is ${quote(value)}; accepted: ${accepted}.`);
}

/** Groups of reasons. `organization` includes the access of organization admins. */
export const REASONS = ["organization", "direct", "team", "default"] as const;
type ReasonGroup = (typeof REASONS)[number];

export interface Filter {
  /** Matches names, e-mail addresses and titles as the search does; `""` matches everything. */
  readonly q: string;
  /** `role`: exactly this role; `least`: this role or a stronger one. */
  readonly role?: Role;
  readonly least?: Role;
  /** An empty list accepts every reason. */
  readonly reasons: readonly ReasonGroup[];
  /** Only roles from a permission of this team. */
  readonly through?: string;
  readonly guests?: Presence;
  readonly deleted?: Presence;
  /** Only rows that had no role at the last revision before this time (ISO 8601, UTC). */
  readonly since?: string;
  readonly sort?: Sort;
  /** For lists of differences: the directions of a difference; absent for all. */
  readonly changes?: readonly Direction[];
  /** For comparisons: only what differs, or only what is alike. */
  readonly differs?: Presence;
}

/** `only`: the list has only guests (or deleted spaces); `none`: it has none of them. */
export type Presence = "only" | "none";
type Sort = "strongest" | "id";

export function groupOf(rule: Rule): ReasonGroup {
  return rule === "admin" ? "organization" : rule;
}

/** The roles that pass a filter, strongest first. */
export function rolesOf({ role, least }: Filter): Role[] {
  const lowest = least === undefined ? 0 : rank(least);
  return ROLES.toReversed().filter((each) => rank(each) >= lowest && (role === undefined || each === role));
}

/** The directions that a filter accepts, in list order. */
export function directionsOf({ changes }: Filter): Direction[] {
  return DIRECTIONS.filter((each) => changes?.includes(each) !== false);
}

/** Whether a filter can exclude rows. */
export function isFiltering({ q, reasons, ...others }: Filter): boolean {
  const { sort: _, ...narrowing } = others;
  return q !== "" || reasons.length > 0 || Object.values(narrowing).some((each) => each !== undefined);
}

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
] as const satisfies readonly ParameterName[];

const PRESENCES: readonly [Presence, ...Presence[]] = ["only", "none"];
const SORTS: readonly [Sort, ...Sort[]] = ["strongest", "id"];

/** Throws 400 for an invalid filter. */
export function filterOf(query: Query): Filter {
  const q = textOf(query);
  const role = roleOf(query, "role");
  const least = roleOf(query, "least");
  const { through, guests, deleted, sort } = {
    through: query.has("through") ? idIn(query, "through") : undefined,
    guests: query.has("guests") ? wordOf(query, "guests", PRESENCES) : undefined,
    deleted: query.has("deleted") ? wordOf(query, "deleted", PRESENCES) : undefined,
    sort: query.has("sort") ? wordOf(query, "sort", SORTS) : undefined,
  };
  const changes = several<Direction>(query, "change", DIRECTIONS);
  const differs = query.has("differs") ? wordOf(query, "differs", PRESENCES) : undefined;
  return {
    // A text of blanks does not filter.
    q: tidy(q) === "" ? "" : q,
    reasons: several(query, "reason", REASONS) ?? [],
    ...(role && { role }),
    ...(least && { least }),
    ...(through !== undefined && { through }),
    ...(guests && { guests }),
    ...(deleted && { deleted }),
    ...(query.has("since") && { since: timeOf(query, "since") }),
    ...(sort && { sort }),
    ...(changes && { changes }),
    ...(differs && { differs }),
  };
}

/** One or several words, separated by commas. Throws 400 for any other text. */
function several<Word extends string>(
  query: Query,
  name: ParameterName,
  accepted: readonly Word[],
): Word[] | undefined {
  const value = query.get(name);
  return value?.split(",").map((text) => {
    const word = accepted.find((each) => each === text);
    if (word !== undefined) return word;
    throw new ApiError(
      "badRequest",
      `The parameter ${name} is ${quote(value)}; accepted: ${accepted.join(", ")}, or several with commas between.`,
    );
  });
}
