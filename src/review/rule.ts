/** A rule as a person wrote it: who may have which role on what. It belongs to no organization. */
import { type Role, ROLES } from "../domain/role.ts";
import type { NamedKind } from "../store/revisions/kept-names.ts";

export type Who =
  | { readonly kind: "everybody" | "guests" }
  | { readonly kind: "role"; readonly role: Role }
  | { readonly kind: "team" | "user"; readonly id: string }
  | { readonly kind: "any of" | "all of"; readonly of: readonly Who[] }
  | { readonly kind: "everybody but"; readonly of: Who };

export type What =
  | { readonly kind: "everything" | "sites" }
  | { readonly kind: "space" | "collection" | "below" | "site"; readonly id: string }
  | { readonly kind: "any of"; readonly of: readonly What[] }
  | { readonly kind: "everything but"; readonly of: What };

export type How =
  | { readonly kind: "none" | "only" | "all" }
  | { readonly kind: "at least" | "at most"; readonly number: number };

/** An exception to a rule, valid up to and including the day `until`. */
export interface Exception {
  /** Absent for everybody. */
  readonly who?: Who;
  /** Absent for everything that the rule is about. */
  readonly what?: What;
  /** In UTC, such as `2026-12-31`. */
  readonly until: string;
  readonly reason: string;
}

export interface AccessRule {
  /** The text of the rule, which also identifies it. */
  readonly words: string;
  /** The line of the rule in its file. */
  readonly line: number;
  /** The rule as in its file, in JSON. */
  readonly definition: string;
  readonly who: Who;
  readonly what: What | "organization";
  readonly how: How;
  /** The ranks of the lowest and the highest role of the rule; 0 is `guest`. */
  readonly from: number;
  readonly to: number;
  /** Whether the rule is about direct permissions on the content itself, and not about effective roles. */
  readonly direct: boolean;
  readonly exceptions: readonly Exception[];
}

/** Whether a rule limits how many members have a role, and not which ones. */
export function isAboutNumber(how: How): how is Extract<How, { number: number }> {
  return "number" in how;
}

/** Whether a rule asks that somebody has a role. Of nobody, or on nothing, it is neither kept nor broken. */
export function needsMembers(how: How): boolean {
  return how.kind === "all" || how.kind === "at least";
}

/** A record that a rule or an exception names. */
export interface RuleName {
  readonly kind: NamedKind;
  readonly id: string;
}

export function namesIn({ who, what }: Partial<Pick<AccessRule, "who" | "what">>): RuleName[] {
  return [
    ...(who === undefined ? [] : namesInWho(who)),
    ...(what === undefined || what === "organization" ? [] : namesInWhat(what)),
  ];
}

function namesInWho(who: Who): RuleName[] {
  switch (who.kind) {
    case "team":
      return [{ kind: "team", id: who.id }];
    case "user":
      return [{ kind: "member", id: who.id }];
    case "any of":
    case "all of":
      return who.of.flatMap(namesInWho);
    case "everybody but":
      return namesInWho(who.of);
    default:
      return [];
  }
}

function namesInWhat(what: What): RuleName[] {
  switch (what.kind) {
    case "space":
    case "collection":
    case "site":
      return [{ kind: what.kind, id: what.id }];
    case "below":
      return [{ kind: "collection", id: what.id }];
    case "any of":
      return what.of.flatMap(namesInWhat);
    case "everything but":
      return namesInWhat(what.of);
    default:
      return [];
  }
}

/** Says what a rule names and is not there; `undefined` if everything is there. */
export function goneNote(words: string, gone: readonly string[]): string | undefined {
  if (gone.length === 0) return undefined;
  return `The rule ${JSON.stringify(words)} names what is not there: ${gone.join(", ")}.`;
}

/** By rank. `guest` is a role in the organization only. */
export const RULE_ROLES = ["guest", ...ROLES] as const;

export function whoWords(who: Who): string {
  switch (who.kind) {
    case "everybody":
    case "guests":
      return who.kind;
    case "role":
      return `role ${who.role}`;
    case "team":
    case "user":
      return `${who.kind} ${who.id}`;
    case "any of":
      return who.of.map(whoWords).join(" or ");
    case "all of":
      return who.of.map(whoWords).join(" and ");
    case "everybody but":
      return `everybody but ${whoWords(who.of)}`;
  }
}

export function whatWords(what: What | "organization"): string {
  if (what === "organization") return what;
  switch (what.kind) {
    case "everything":
      return what.kind;
    case "sites":
      return "the spaces of all sites";
    case "below":
      return `collection ${what.id} and what lies in it`;
    case "site":
      return `the spaces of site ${what.id}`;
    case "space":
    case "collection":
      return `${what.kind} ${what.id}`;
    case "any of":
      return what.of.map(whatWords).join(", ");
    case "everything but":
      return `everything but ${whatWords(what.of)}`;
  }
}

/** "edit or more", "read to edit", "admin". */
export function rangeWords({ from, to, what }: Pick<AccessRule, "from" | "to" | "what">): string {
  const low = RULE_ROLES[from] ?? "read";
  const high = RULE_ROLES[to] ?? "admin";
  if (low === high) return low;
  if (high !== "admin") return `${low} to ${high}`;
  return from === lowest(what) ? "any role" : `${low} or more`;
}

/** The rank of the lowest role that a rule can name: `guest` in the organization, otherwise `read`. */
export function lowest(what: What | "organization"): number {
  return what === "organization" ? 0 : 1;
}

/** The longest text of a rule, in characters. */
export const LONGEST = 200;
