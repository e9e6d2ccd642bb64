/** Parses the explorer's query parameters (docs/errors.md). Throws 400, or 404 for an id that nothing can have. */
import { type ContentKey, type ContentKind, contentKey } from "../../domain/content.ts";
import { DATE_TIME_ACCEPTS, normaliseDate } from "../../domain/date.ts";
import { DIRECTIONS, type Direction } from "../../domain/difference.ts";
import { ApiError } from "../../domain/error.ts";
import type { Rule } from "../../domain/ladder.ts";
import { ROLES, type Role, rank } from "../../domain/role.ts";
import { quote } from "../../domain/text.ts";
import { absent } from "../../operations/authorize.ts";
import { LONGEST_ID } from "../../operations/parameters.ts";
import { tidy } from "../../domain/search.ts";
import { type ListParameter, PRESENCES, REASONS, SORTS } from "../wire/lists.ts";
import { KINDS, type SubjectKind } from "../wire/protocol.ts";

/** The query parameters, decoded but not checked. A repeated parameter was refused before. */
export type Query = ReadonlyMap<string, string>;

export type ParameterName =
  | SubjectKind
  | ListParameter
  | (
      | "list"
      | "tab"
      | "admins"
      | "parent"
      | "from"
      | "until"
      | "before"
      | "contents"
      | "covers"
      | "rule"
      | "answer"
    );

export interface SubjectName {
  readonly kind: SubjectKind;
  readonly id: string;
}

/** The one subject that a query names. Throws 400 for none or several. */
export function subjectOf(query: Query, kinds: readonly SubjectKind[] = KINDS): SubjectName {
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

/** The subject of a query that may do without one. */
export function optionalSubjectOf(query: Query, kinds: readonly SubjectKind[]): SubjectName | undefined {
  return kinds.some((kind) => query.has(kind)) ? subjectOf(query, kinds) : undefined;
}

/** Throws 404 if the id is invalid, as `/v1` does for an invalid id in a path. */
export function idIn(query: Query, name: ParameterName): string {
  const id = query.get(name) ?? "";
  if (id === "" || id.includes("\0") || [...id].length > LONGEST_ID) throw absent(name, id);
  return id;
}

export function isContent(subject: SubjectName): subject is SubjectName & { readonly kind: ContentKind } {
  return subject.kind === "space" || subject.kind === "collection";
}

/** The content key of a subject whose kind is `space` or `collection`. */
export function keyIn({ kind, id }: SubjectName): ContentKey {
  return contentKey(kind === "collection" ? "collection" : "space", id);
}

/** The largest number of contents that a request counts. */
export const MOST_CONTENTS = 100;

/** The contents that a query names, as "space/ID" and "collection/ID" with commas between. */
export function contentsOf(query: Query): SubjectName[] {
  const value = query.get("contents") ?? "";
  const keys = value.split(",");
  const found = keys.map((key) => /^(?<kind>space|collection)\/(?<id>[\w-]{1,128})$/.exec(key)?.groups);
  if (found.includes(undefined) || keys.length > MOST_CONTENTS)
    throw refused(
      "contents",
      value,
      `up to ${MOST_CONTENTS} of space/ID and collection/ID with commas between`,
    );
  return found.flatMap((of) =>
    of === undefined ? [] : { kind: of.kind === "space" ? "space" : "collection", id: of.id ?? "" },
  );
}

/** A whole number; 0 if the parameter is absent. */
export function countOf(query: Query, name: ParameterName): number {
  const value = query.get(name) ?? "0";
  if (/^(0|[1-9]\d{0,8})$/.test(value)) return Number(value);
  throw refused(name, value, "a whole number from 0 to 999999999");
}

/** One of the given words; `undefined` if the parameter is absent. */
export function wordOf<Word extends string>(
  query: Query,
  name: ParameterName,
  accepted: readonly Word[],
): Word | undefined {
  const value = query.get(name);
  const word = accepted.find((each) => each === value);
  if (value !== undefined && word === undefined) throw refused(name, value, accepted.join(", "));
  return word;
}

/** One or several words, separated by commas; `undefined` if the parameter is absent. */
function wordsOf<Word extends string>(
  query: Query,
  name: ParameterName,
  accepted: readonly Word[],
): Word[] | undefined {
  const value = query.get(name);
  return value?.split(",").map((text) => {
    const word = accepted.find((each) => each === text);
    if (word !== undefined) return word;
    throw refused(name, value, `${accepted.join(", ")}, or several with commas between`);
  });
}

/** The search text; `""` if the parameter is absent. */
export function textOf(query: Query): string {
  const value = query.get("q") ?? "";
  if (value.includes("\0")) throw refused("q", value, "text without U+0000");
  return value;
}

/** A time, normalized to ISO 8601 in UTC. */
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

export function refused(name: string, value: string, accepted: string): ApiError {
  return new ApiError("badRequest", `The parameter ${name} is ${quote(value)}; accepted: ${accepted}.`);
}

/** The filters and the order of a list. */
export interface Filter {
  /** Matches names, e-mail addresses and titles as the search does; `""` matches everything. */
  readonly q: string;
  /** `role`: exactly this role; `least`: this role or a stronger one. */
  readonly role?: Role | undefined;
  readonly least?: Role | undefined;
  /** An empty list accepts every reason. */
  readonly reasons: readonly ReasonGroup[];
  /** Only roles from a permission of this team. */
  readonly through?: string | undefined;
  readonly guests?: Presence | undefined;
  readonly deleted?: Presence | undefined;
  /** Only rows that had no role, or a lower one, at the last revision before this time (ISO 8601, UTC). */
  readonly since?: string | undefined;
  readonly sort?: (typeof SORTS)[number] | undefined;
  /** For lists of differences: the directions of a difference; absent for all. */
  readonly changes?: readonly Direction[] | undefined;
  /** For comparisons: only what differs, or only what is alike. */
  readonly differs?: Presence | undefined;
}

type ReasonGroup = (typeof REASONS)[number];
export type Presence = (typeof PRESENCES)[number];

export function filterOf(query: Query): Filter {
  const q = textOf(query);
  return {
    // A text of blanks does not filter.
    q: tidy(q) === "" ? "" : q,
    role: wordOf(query, "role", ROLES),
    least: wordOf(query, "least", ROLES),
    through: query.has("through") ? idIn(query, "through") : undefined,
    guests: wordOf(query, "guests", PRESENCES),
    deleted: wordOf(query, "deleted", PRESENCES),
    sort: wordOf(query, "sort", SORTS),
    changes: wordsOf(query, "change", DIRECTIONS),
    differs: wordOf(query, "differs", PRESENCES),
    reasons: wordsOf(query, "reason", REASONS) ?? [],
    since: query.has("since") ? timeOf(query, "since") : undefined,
  };
}

/** Whether a filter can exclude rows. */
export function isFiltering({ q, reasons, ...others }: Filter): boolean {
  const { sort: _, ...narrowing } = others;
  return q !== "" || reasons.length > 0 || Object.values(narrowing).some((each) => each !== undefined);
}

export function groupOf(rule: Rule): ReasonGroup {
  return rule === "admin" ? "organization" : rule;
}

/** The roles that pass a filter, strongest first. */
export function rolesOf({ role, least }: Pick<Filter, "role" | "least">): Role[] {
  const lowest = least === undefined ? 0 : rank(least);
  return ROLES.toReversed().filter((each) => rank(each) >= lowest && (role === undefined || each === role));
}

/** The directions that a filter accepts, in list order. */
export function directionsOf({ changes }: Filter): Direction[] {
  return DIRECTIONS.filter((each) => changes?.includes(each) !== false);
}
