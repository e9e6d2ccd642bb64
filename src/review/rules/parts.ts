/** Reads the parts of a rule: who, what and how. */
import { ID } from "../../domain/id.ts";
import { isRole, ROLES } from "../../domain/role.ts";
import { isObject, listOf, type ValuePath, Problem, shown } from "./fields.ts";
import type { How, What, Who } from "./rule.ts";

const WHO = "everybody, guests, or one of team, user, role, everybody but, all of, or a list of such";
const WHAT = "everything, sites, or one of space, collection, below, site, everything but, or a list of such";
const HOW = "none, only, all, or one of at least, at most with a number";
/** The deepest nesting of lists. */
const DEEPEST = 50;

/** Reads members. A list means the members whom at least one of its entries names. */
export function whoOf(value: unknown, path: ValuePath): Who {
  if (value === "everybody" || value === "guests") return { kind: value };
  if (Array.isArray(value)) return anyOf(value, path, "who", whoOf);
  const [name, inner, at] = onlyField(value, path, "who", WHO);
  switch (name) {
    case "role":
      return some(inner, at, (each, there) => {
        if (isRole(each)) return { kind: "role", role: each };
        throw new Problem(there, `role is ${shown(each)}; accepted: ${ROLES.join(", ")}`);
      });
    case "team":
      return some(inner, at, (each, there) => ({ kind: "team", id: idOf(each, there, "team") }));
    case "user":
      return some(inner, at, (each, there) => {
        if (typeof each === "string" && each !== "" && each.length <= 510) return { kind: "user", id: each };
        throw new Problem(
          there,
          `user is ${shown(each)}; accepted: a user's id, in quotes if it is a number`,
        );
      });
    case "everybody but":
      return { kind: "everybody but", of: whoOf(inner, at) };
    case "all of":
      return {
        kind: "all of",
        of: listOf(inner, at, name).map((each, index) => whoOf(each, [...at, index])),
      };
    default:
      throw new Problem(at, `who has ${shown(name)}; accepted: ${WHO}`);
  }
}

/** Reads contents. A list means the contents that at least one of its entries names. */
export function whatOf(value: unknown, path: ValuePath): What {
  if (value === "everything" || value === "sites") return { kind: value };
  if (Array.isArray(value)) return anyOf(value, path, "what", whatOf);
  const [name, inner, at] = onlyField(value, path, "what", WHAT);
  switch (name) {
    case "space":
    case "collection":
    case "below":
    case "site":
      return some(inner, at, (each, there) => ({ kind: name, id: idOf(each, there, name) }));
    case "everything but":
      return { kind: "everything but", of: whatOf(inner, at) };
    default:
      throw new Problem(at, `what has ${shown(name)}; accepted: ${WHAT}`);
  }
}

export function howOf(value: unknown, path: ValuePath): How {
  if (value === "none" || value === "only" || value === "all") return { kind: value };
  const [name, number, at] = onlyField(value, path, "how", HOW);
  if (name !== "at least" && name !== "at most")
    throw new Problem(at, `how has ${shown(name)}; accepted: ${HOW}`);
  const least = name === "at least" ? 1 : 0;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= least)
    return { kind: name, number };
  throw new Problem(at, `${name} is ${shown(number)}; accepted: a whole number from ${least}`);
}

function onlyField(
  value: unknown,
  path: ValuePath,
  what: string,
  accepted: string,
): [string, unknown, ValuePath] {
  if (path.length > DEEPEST) throw new Problem(path.slice(0, 2), `${what} is nested too deep`);
  const [only, ...others] = isObject(value) ? Object.entries(value) : [];
  if (only === undefined || others.length > 0) {
    throw new Problem(path, `${what} is ${shown(value)}; accepted: ${accepted}`);
  }
  return [only[0], only[1], [...path, only[0]]];
}

/** A value, or a list of such values. */
function some<Part>(
  value: unknown,
  path: ValuePath,
  one: (value: unknown, path: ValuePath) => Part,
): Part | { kind: "any of"; of: Part[] } {
  if (!Array.isArray(value)) return one(value, path);
  return anyOf(value, path, String(path.at(-1)), one);
}

function anyOf<Part>(
  value: readonly unknown[],
  path: ValuePath,
  name: string,
  one: (value: unknown, path: ValuePath) => Part,
): { kind: "any of"; of: Part[] } {
  if (path.length > DEEPEST) throw new Problem(path.slice(0, 2), `${name} is nested too deep`);
  return {
    kind: "any of",
    of: listOf(value, path, name).map((each, index) => one(each, [...path, index])),
  };
}

function idOf(value: unknown, path: ValuePath, name: string): string {
  if (typeof value === "string" && ID.test(value)) return value;
  const advice = typeof value === "number" ? ", in quotes if it is a number" : "";
  throw new Problem(path, `${name} is ${shown(value)}; accepted: an id${advice}`);
}
