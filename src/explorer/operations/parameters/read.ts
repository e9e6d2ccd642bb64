/** Parses the explorer's query parameters (contract, section 6). */
import { contentKey, type ContentKey, type ContentKind } from "../../../domain/content.ts";
import { ApiError } from "../../../domain/error.ts";
import { DATE_TIME_ACCEPTS, normaliseDate } from "../../../domain/date.ts";
import { quote } from "../../../domain/text.ts";
import { isRole, type Role, ROLES } from "../../../domain/role.ts";
import { absent } from "../../../operations/authorize.ts";
import { LONGEST_ID } from "../../../operations/parameters.ts";
import type { ParameterName, Query } from "../operation.ts";

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
  return { kind, id: idOf(query, kind) };
}

/** Throws 404 if the id is invalid, as `/v1` does for an invalid id in a path. */
export function idOf(query: Query, name: ParameterName): string {
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
export function roleOf(query: Query, name: "role" | "least"): Role | undefined {
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
