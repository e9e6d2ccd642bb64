/** Compares the roles of a pulled organization by Rolebook's rules with GitBook's own lists. */
import { type ContentKey, type DefaultLevel, contentKey, idOf, kindOf } from "../../domain/content.ts";
import { type Ladder, type Level, type MemberRights, type SiteLevel, decide } from "../../domain/ladder.ts";
import { type Role, rank } from "../../domain/role.ts";
import type { RecordOf } from "../../snapshot/records.ts";
import { type GitBookClient, each } from "./client.ts";
import { textIn } from "./inventory.ts";
import { type Pulled, spacesOfSpeakingSites } from "./pull.ts";

export interface VerifiedPull {
  readonly contents: number;
  readonly members: number;
  readonly sites: number;
  readonly differences: readonly RoleDifference[];
}

/** `at` is a content or a site. A role of `null` is no access. */
interface RoleDifference {
  readonly at: string;
  readonly user: string;
  readonly gitbook: string | null;
  readonly rolebook: Role | null;
}

type Path = readonly string[];

/**
 * Compares GitBook's own lists of effective roles with Rolebook's rules, for up to `most` contents, members and sites
 * each, and for all spaces of sites that have permissions or a default level.
 */
export async function verify(client: GitBookClient, pulled: Pulled, most: number): Promise<VerifiedPull> {
  const { inventory, details } = pulled;
  const effective = new Effective(pulled);
  const organization = inventory.organization.id;
  const members = new Set(effective.members);
  const differences: RoleDifference[] = [];
  /** Compares one list. `entry` says whether each entry is a user or a space; `of` is what the list is about. */
  async function compare(path: Path, entry: "user" | "space", ours: ReadonlyMap<string, Role>, of: string) {
    const theirs = await rolesAt(client, path, entry);
    for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
      const user = entry === "user" ? id : of;
      const [gitbook, rolebook] = [theirs.get(id) ?? null, ours.get(id) ?? null];
      if (gitbook === rolebook || !isComparable(id, entry)) continue;
      differences.push({ at: entry === "user" ? of : `space/${id}`, user, gitbook, rolebook });
    }
  }
  // GitBook may list disabled members, and people who joined after the pull.
  const isComparable = (id: string, entry: "user" | "space") =>
    entry === "user" ? members.has(id) || inventory.members.get(id) === undefined : true;

  const contents = new Set([...spread(contentsOf(pulled), most), ...spacesOfSpeakingSites(pulled)]);
  await each(client, contents, (key) =>
    compare([`${kindOf(key)}s`, idOf(key), "permissions", "aggregate"], "user", effective.on(key), key),
  );
  const users = spread([...members], most);
  await each(client, users, (user) =>
    compare(["orgs", organization, "members", user, "spaces"], "space", effective.of(user), user),
  );
  const sites = spread([...inventory.sites.keys()], most);
  await each(client, sites, (site) => {
    const ours = new Map<string, Role>();
    for (const space of details.sites.get(site)?.spaces ?? []) {
      if (!inventory.spaces.has(space)) continue;
      for (const [user, role] of effective.on(contentKey("space", space))) {
        const best = ours.get(user);
        if (best === undefined || rank(role) > rank(best)) ours.set(user, role);
      }
    }
    return compare(
      ["orgs", organization, "sites", site, "permissions", "aggregate"],
      "user",
      ours,
      `site/${site}`,
    );
  });
  return { contents: contents.size, members: users.length, sites: sites.length, differences };
}

export function contentsOf({ inventory: { spaces, collections } }: Pulled): ContentKey[] {
  return [
    ...[...spaces.keys()].map((id) => contentKey("space", id)),
    ...[...collections.keys()].map((id) => contentKey("collection", id)),
  ];
}

/** The roles in a list, by user or space. An entry whose permission is `null` gives no access. */
export async function rolesAt(
  client: GitBookClient,
  path: Path,
  entry: "user" | "space",
): Promise<Map<string, string>> {
  const roles = new Map<string, string>();
  await client.walk(path, {}, (item) => {
    if (item.permission === null) return;
    roles.set(textIn(item, entry, "id"), textIn(item, "permission"));
  });
  return roles;
}

/** Up to `most` items, evenly spread over the sorted ids: the same ones in every run. */
export function spread<T extends string>(all: readonly T[], most: number): T[] {
  const sorted = all.toSorted();
  if (sorted.length <= most) return sorted;
  return Array.from(
    { length: most },
    (_, index) => sorted[Math.floor((index * sorted.length) / most)],
  ).filter((each) => each !== undefined);
}

/** Names the first 20 differences, and counts the others. */
export function differencesAsText({ differences }: VerifiedPull): string {
  const SHOWN = 20;
  const lines = differences
    .slice(0, SHOWN)
    .map(
      ({ at, user, gitbook, rolebook }) =>
        `${at}: ${JSON.stringify(user)} has ${gitbook ?? "no access"} at GitBook, ${rolebook ?? "no access"} by Rolebook's rules`,
    );
  const more = differences.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more.`] : [])].join("\n");
}

export type RoleRule = (ladder: Ladder, member: MemberRights) => Role | undefined;

/** Rolebook's own rule (docs/permissions.md). */
export const nearest: RoleRule = (ladder, member) => decide(ladder, member)?.role;

/** The effective roles in a pulled organization. Disabled members have none. */
export class Effective {
  readonly #pulled: Pulled;
  readonly #rule: RoleRule;
  readonly #teams = new Map<string, string[]>();
  /** The sites of each space. */
  readonly #sites = new Map<string, SiteLevel[]>();

  constructor(pulled: Pulled, rule: RoleRule = nearest) {
    this.#pulled = pulled;
    this.#rule = rule;
    for (const [team, members] of pulled.details.teams) {
      if (!pulled.inventory.teams.has(team)) continue;
      for (const user of members.keys()) {
        const known = this.#teams.get(user);
        if (known === undefined) this.#teams.set(user, [team]);
        else known.push(team);
      }
    }
    for (const { record } of pulled.inventory.sites.values()) {
      const { spaces, teams } = pulled.details.sites.get(record.id) ?? { spaces: [], teams: new Map() };
      const level = { site: record.id, defaultLevel: levelOf(record), teams };
      for (const space of spaces) this.#sites.set(space, [...(this.#sites.get(space) ?? []), level]);
    }
  }

  /** The members who are not disabled. */
  get members(): string[] {
    return [...this.#pulled.inventory.members].filter(([, { disabled }]) => !disabled).map(([id]) => id);
  }

  /** The roles on a content, by user. */
  on(content: ContentKey): Map<string, Role> {
    const ladder = this.#ladder(content);
    return new Map(
      this.members.flatMap((user): [string, Role][] => {
        const role = this.#decide(ladder, user);
        return role === undefined ? [] : [[user, role]];
      }),
    );
  }

  /** The roles of a member, by space. */
  of(user: string): Map<string, Role> {
    const spaces = [...this.#pulled.inventory.spaces.keys()];
    return new Map(
      spaces.flatMap((space): [string, Role][] => {
        const role = this.#decide(this.#ladder(contentKey("space", space)), user);
        return role === undefined ? [] : [[space, role]];
      }),
    );
  }

  #decide(ladder: Ladder, user: string): Role | undefined {
    const direct = new Map<ContentKey, Role>();
    for (const { content } of ladder) {
      const role = this.#pulled.details.grants.get(content)?.users.get(user);
      if (role !== undefined) direct.set(content, role);
    }
    const directOnSites = new Map<string, Role | null>();
    for (const { site } of ladder[0]?.sites ?? []) {
      const role = this.#pulled.details.sites.get(site)?.users.get(user);
      if (role !== undefined) directOnSites.set(site, role);
    }
    const role = this.#pulled.inventory.members.get(user)?.role ?? null;
    return this.#rule(ladder, { role, teams: this.#teams.get(user) ?? [], direct, directOnSites });
  }

  #ladder(content: ContentKey): Ladder {
    const { inventory, details } = this.#pulled;
    const levels: Level[] = [];
    let at: ContentKey | undefined = content;
    while (at !== undefined) {
      const record: PulledContent | undefined = (
        kindOf(at) === "space" ? inventory.spaces : inventory.collections
      ).get(idOf(at));
      if (record === undefined) break;
      const defaultLevel = levelOf(record);
      const parent: string | undefined = record.parent;
      const teams = details.grants.get(at)?.teams ?? new Map();
      const sites = kindOf(at) === "space" ? (this.#sites.get(idOf(at)) ?? []) : [];
      levels.push({ content: at, defaultLevel, teams, sites });
      at = defaultLevel === "inherit" && parent !== undefined ? contentKey("collection", parent) : undefined;
    }
    return levels;
  }
}

type PulledContent = RecordOf<"space"> | RecordOf<"collection">;

function levelOf({ defaultLevel }: { readonly defaultLevel?: DefaultLevel }): DefaultLevel {
  return defaultLevel === undefined ? "inherit" : defaultLevel;
}
