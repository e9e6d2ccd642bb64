/** A second, naive implementation of reviews: the outcomes of decided rows, and the permissions that can be removed. */
import { effectiveOf, levelOf, recordOf } from "../effective.ts";
import { type Content, type Facts, factsOf } from "../facts.ts";
import { ROLES, type SnapshotRecord } from "../records.ts";
import { contentsOf, nameOf, withoutPermissions } from "./tidy.ts";

/** Decisions by content and user, such as `space/x ana`. */
export type Decided = ReadonlyMap<string, "remove" | "keep" | "">;

/** Every effective role, keyed by content and user, such as `space/x ana`. */
export function rolesIn(facts: Facts): Map<string, string> {
  const roles = new Map<string, string>();
  for (const content of contentsOf(facts)) {
    for (const user of facts.members.keys()) {
      const role = effectiveOf(facts, user, content)?.role;
      if (role !== undefined) roles.set(`${content.kind}/${content.id} ${user}`, role);
    }
  }
  return roles;
}

/** The outcome of a row with a role in the report; `least` is the weakest role that the report covers. */
export function outcomeOf(was: string, is: string | undefined, least: string | undefined): string {
  if (is === undefined) return "removed";
  if (is === was) return "still there";
  return isUnder(is, least) ? "below" : "changed";
}

function isUnder(role: string | undefined, least: string | undefined): boolean {
  return least !== undefined && rankOf(role) < rankOf(least);
}

/** Whether a row that was decided `remove` asks for more: its user has a role that the report covers. */
export function isLeft(role: string | undefined, least: string | undefined): boolean {
  return role !== undefined && !isUnder(role, least);
}

/**
 * The index of the state (oldest first) in which the value of a row last changed to its final value; 0 if the value
 * never changed.
 */
export function lastChange(
  states: readonly ReadonlyMap<string, string>[],
  row: string,
  wanted: (role: string | undefined) => boolean,
): number {
  const told = states.map((roles) => wanted(roles.get(row)));
  return told.lastIndexOf(!told.at(-1)) + 1;
}

/**
 * The direct permissions on the rows' contents that can be removed without changing a role that was decided otherwise.
 * `least` is the weakest role that the report covers: who is beneath it keeps what they have.
 */
export function removable(
  records: readonly SnapshotRecord[],
  organization: string,
  decided: Decided,
  least: string | undefined,
): { readonly gone: ReadonlySet<string>; readonly before: Facts; readonly after: Facts } {
  const before = factsOf(records, organization);
  const had = rolesIn(before);
  const named = (row: string) => row.replace(" ", " user ");
  const rows = [...decided].flatMap(([row, decision]) => (decision === "remove" ? [row] : []));
  const gone = new Set(
    rows
      .filter((row) => isGiven(before, row) && before.members.get(userOf(row)) !== "admin")
      .filter((row) => isLeft(had.get(row), least))
      .map(named),
  );
  for (;;) {
    const after = factsOf(withoutPermissions(records, gone), organization);
    const has = rolesIn(after);
    const wrong = new Set<string>();
    for (const row of rows) {
      if (gone.has(named(row)) && rankOf(has.get(row)) >= rankOf(had.get(row))) wrong.add(named(row));
    }
    for (const [row, decision] of decided) {
      if (decision !== "keep" || had.get(row) === has.get(row)) continue;
      const source = above(before, contentOf(row)).find((key) => gone.has(`${key} user ${userOf(row)}`));
      wrong.add(`${source} user ${userOf(row)}`);
    }
    if (wrong.size === 0) return { gone, before, after };
    for (const name of wrong) gone.delete(name);
  }
}

function rankOf(role: string | undefined): number {
  return ROLES.findIndex((each) => each === role);
}

function userOf(row: string): string {
  return row.slice(row.indexOf(" ") + 1);
}

function contentOf(row: string): Content {
  const [key = ""] = row.split(" ");
  return { kind: key.startsWith("space/") ? "space" : "collection", id: key.slice(key.indexOf("/") + 1) };
}

function isGiven(facts: Facts, row: string): boolean {
  return facts.permissionsOn(contentOf(row)).some((given) => nameOf(given) === row.replace(" ", " user "));
}

/** A content and its ancestors, nearest first. */
function above(facts: Facts, start: Content): string[] {
  const found: string[] = [];
  for (let at: Content | undefined = start; at !== undefined;) {
    found.push(`${at.kind}/${at.id}`);
    const record = recordOf(facts, at);
    const parent = record === undefined || levelOf(record) !== "inherit" ? undefined : record.parent;
    at = parent === undefined ? undefined : { kind: "collection", id: parent };
  }
  return found;
}
