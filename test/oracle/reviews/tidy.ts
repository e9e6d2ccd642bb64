/** A second, naive implementation of `rolebook tidy`: removes each permission and compares everybody's roles. */
import { atLeast, decisionOf, effectiveOf } from "../effective.ts";
import { type Content, type Facts, factsOf } from "../facts.ts";
import type { ContentPermission, PermissionRecord, SnapshotRecord } from "../records.ts";

/** Names a permission by its content or site, and its grantee. */
export function nameOf({ space, collection, site, user, team }: Partial<PermissionRecord>): string {
  const [[kind, id] = []] = Object.entries({ space, collection, site }).filter(
    ([, each]) => each !== undefined,
  );
  return user === undefined ? `${kind}/${id} team ${team}` : `${kind}/${id} user ${user}`;
}

export function contentsOf({ spaces, collections }: Facts): Content[] {
  return [
    ...[...spaces.keys()].map((id): Content => ({ kind: "space", id })),
    ...[...collections.keys()].map((id): Content => ({ kind: "collection", id })),
  ];
}

/** Every effective role, as lines. */
export function rolesOf(facts: Facts): string[] {
  return contentsOf(facts).flatMap((content) =>
    [...facts.members.keys()].map(
      (user) => `${content.kind}/${content.id} ${user} ${effectiveOf(facts, user, content)?.role ?? "none"}`,
    ),
  );
}

/** Removes some permissions of one organization from the records of an import. */
export function withoutPermissions(
  records: readonly SnapshotRecord[],
  gone: ReadonlySet<string>,
): SnapshotRecord[] {
  return records.filter((record) => record.object !== "permission" || !gone.has(nameOf(record)));
}

/** The findings by kind: permissions by {@link nameOf}, teams and members by id, and contents. */
export function tidyOf(records: readonly SnapshotRecord[], organization: string) {
  const facts = factsOf(records, organization);
  const before = rolesOf(facts).join("\n");
  const contents = contentsOf(facts);
  const permissions = contents.flatMap((content) =>
    facts.permissionsOn(content).map((given) => ({ content, given })),
  );
  const without = (given: ContentPermission) =>
    factsOf(withoutPermissions(records, new Set([nameOf(given)])), organization);
  return {
    redundant: permissions
      .filter(({ given }) => rolesOf(without(given)).join("\n") === before)
      .map(({ given }) => nameOf(given)),
    lessThanTeam: permissions
      .filter(({ content, given }) => {
        if (given.user === undefined) return false;
        const then = without(given);
        const role = effectiveOf(then, given.user, content)?.role;
        return (
          role !== undefined &&
          role !== given.permission &&
          atLeast(role, given.permission) &&
          decisionOf(then, given.user, content).rule === "team"
        );
      })
      .map(({ given }) => nameOf(given)),
    deleted: permissions
      .filter(
        ({ content }) => content.kind === "space" && facts.spaces.get(content.id)?.deletedAt !== undefined,
      )
      .map(({ given }) => nameOf(given)),
    emptyTeams: [...facts.teams.keys()].filter((id) => !facts.teamMembers.some(({ team }) => team === id)),
    noAccess: [...facts.members.keys()].filter((user) =>
      contents.every((content) => effectiveOf(facts, user, content) === null),
    ),
    unreached: contents
      .filter((content) =>
        [...facts.members].every(
          ([user, role]) => role === "admin" || effectiveOf(facts, user, content) === null,
        ),
      )
      .map(({ kind, id }) => `${kind}/${id}`),
  };
}
