/** A second implementation of the guard (docs/snapshot.md). */
import { type Facts, factsOf, organizationIds } from "../facts.ts";
import { levelOf, sitesAskedBy } from "../effective.ts";
import type { CollectionRecord, SnapshotRecord, SpaceRecord } from "../records.ts";

interface Loss {
  readonly words: string;
  readonly affected: number;
  readonly of: number;
  readonly refused: boolean;
}

/** For each organization that the guard refuses, by id: the counts in the message, those above a limit first. */
export function refusals(
  before: readonly SnapshotRecord[],
  after: readonly SnapshotRecord[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const id of organizationIds(after)) {
    const losses = lossesOf(factsOf(before, id), factsOf(after, id)).filter(({ affected }) => affected > 0);
    if (!losses.some(({ refused }) => refused)) continue;
    const inOrder = [...losses.filter(({ refused }) => refused), ...losses.filter(({ refused }) => !refused)];
    found.set(
      id,
      inOrder.map(({ words, affected, of }) => `${affected} of ${of} ${of === 1 ? words : plural(words)}`),
    );
  }
  return found;
}

function plural(words: string): string {
  return words.replace(/^(team membership|site link|closed content|[a-z]+)/, "$1s");
}

function lossesOf(before: Facts, after: Facts): Loss[] {
  const gone = (words: string, was: readonly string[], is: readonly string[]): Loss => {
    const affected = was.filter((key) => !is.includes(key)).length;
    const refused =
      (affected > 10 && affected / was.length > 0.2) || (affected === was.length && affected >= 3);
    return { words: `${words} would go`, affected, of: was.length, refused };
  };
  const risen = (words: string, isRisen: (was: string | null, is: string | null) => boolean): Loss => {
    const affected = [...before.members].filter(([user, was]) => {
      const is = after.members.get(user);
      return is !== undefined && isRisen(was, is);
    }).length;
    const of = before.members.size;
    return {
      words: `member would become ${words}`,
      affected,
      of,
      refused: affected > 2 && affected / of > 0.2,
    };
  };
  const closed = closedOf(before);
  const stillClosed = closedOf(after);
  const opened = closed.filter((key) => contentsOf(after).has(key) && !stillClosed.includes(key)).length;
  return [
    gone("member", [...before.members.keys()], [...after.members.keys()]),
    gone("team", [...before.teams.keys()], [...after.teams.keys()]),
    gone("team membership", memberships(before), memberships(after)),
    gone("permission", permissions(before), permissions(after)),
    gone("site link", links(before), links(after)),
    risen("admins", (was, is) => was !== "admin" && is === "admin"),
    risen("more than guests", (was, is) => was === null && is !== null),
    {
      words: "closed content would open",
      affected: opened,
      of: closed.length,
      refused: opened >= 2 && opened / closed.length > 0.2,
    },
  ];
}

function memberships({ teamMembers }: Facts): string[] {
  return teamMembers.map(({ team, user }) => JSON.stringify([team, user]));
}

function links({ sites }: Facts): string[] {
  return [...sites].flatMap(([site, spaces]) => spaces.map((space) => JSON.stringify([site, space])));
}

function permissions(facts: Facts): string[] {
  const onContents = [...contentsOf(facts).values()].flatMap((record) =>
    facts
      .permissionsOn({ kind: record.object, id: record.id })
      .map(({ user, team }) => JSON.stringify([record.object, record.id, user, team])),
  );
  const onSites = [...facts.sites.keys()].flatMap((id) =>
    facts.permissionsOnSite(id).map(({ user, team }) => JSON.stringify(["site", id, user, team])),
  );
  return [...onContents, ...onSites];
}

function contentsOf({ spaces, collections }: Facts): Map<string, SpaceRecord | CollectionRecord> {
  return new Map(
    [...spaces.values(), ...collections.values()].map((each) => [`${each.object} ${each.id}`, each]),
  );
}

/** The contents whose nearest default level is `null`. */
function closedOf(facts: Facts): string[] {
  return [...contentsOf(facts)].flatMap(([key, record]) => (isClosed(facts, record) ? [key] : []));
}

/** Of several sites of a space, all that have a level must be closed; the levels of sites come before collections. */
function isClosed(facts: Facts, record: SpaceRecord | CollectionRecord): boolean {
  const own = levelOf(record);
  if (own !== "inherit") return own === null;
  const levels = sitesAskedBy(facts, { kind: record.object, id: record.id }).flatMap((id) => {
    const site = facts.siteRecords.get(id);
    const level = site === undefined ? "inherit" : levelOf(site);
    return level === "inherit" ? [] : [level];
  });
  if (levels.length > 0) return levels.every((level) => level === null);
  const above = record.parent === undefined ? undefined : facts.collections.get(record.parent);
  return above !== undefined && isClosed(facts, above);
}
