/** A rule as a person wrote it: who may have which role on what. It does not depend on an organization. */
import { type Role, ROLES } from "../../domain/role.ts";

/** Some members of an organization. */
export type Who =
  | { readonly kind: "everybody" | "guests" }
  | { readonly kind: "role"; readonly role: Role }
  | { readonly kind: "team" | "user"; readonly id: string }
  | { readonly kind: "any of" | "all of"; readonly of: readonly Who[] }
  | { readonly kind: "everybody but"; readonly of: Who };

/** Some contents of an organization. */
export type What =
  | { readonly kind: "everything" | "sites" }
  | { readonly kind: "space" | "collection" | "below" | "site"; readonly id: string }
  | { readonly kind: "any of"; readonly of: readonly What[] }
  | { readonly kind: "everything but"; readonly of: What };

export type How =
  | { readonly kind: "none" | "only" | "all" }
  | { readonly kind: "at least" | "at most"; readonly number: number };

/** An exception to a rule, valid up to and including a day. */
export interface Exception {
  /** Absent for everybody. */
  readonly who?: Who;
  /** Absent for everything in the rule's scope. */
  readonly what?: What;
  /** The last day on which the exception is valid, in UTC: `2026-12-31`. */
  readonly until: string;
  readonly reason: string;
}

export interface Rule {
  /** The rule's text, which also identifies it. */
  readonly words: string;
  /** Its line in the file. */
  readonly line: number;
  readonly who: Who;
  readonly what: What | "organization";
  readonly how: How;
  /** The lowest and the highest role of the rule, as ranks; 0 is `guest` in the organization. */
  readonly from: number;
  readonly to: number;
  /** Whether the rule limits direct permissions on the content itself and not effective roles. */
  readonly direct: boolean;
  readonly exceptions: readonly Exception[];
}

/** Whether a rule limits the number of members with a role, and not who they are. */
export function isAboutNumber(how: How): how is Extract<How, { number: number }> {
  return "number" in how;
}

/** The roles that a rule may name: the six, and `guest`, which exists only in the organization. */
export const RULE_ROLES = ["guest", ...ROLES] as const;

/** Members, in words. */
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

/** Contents, in words. */
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

/** The roles that a rule limits, in words: "edit or more", "read to edit", "admin". */
export function rangeWords({ from, to, what }: Pick<Rule, "from" | "to" | "what">): string {
  const low = RULE_ROLES[from] ?? "read";
  const high = RULE_ROLES[to] ?? "admin";
  if (low === high) return low;
  if (high !== "admin") return `${low} to ${high}`;
  return from === lowest(what) ? "any role" : `${low} or more`;
}

/** The lowest role: `guest` in the organization, otherwise `read`. */
export function lowest(what: What | "organization"): number {
  return what === "organization" ? 0 : 1;
}
