import { CommandError } from "../../domain/error.ts";
import type { DefaultLevel } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";
import type { RecordOf } from "../../snapshot/records.ts";
import type { Client } from "./api/client.ts";
import type { Concerns } from "./concerns.ts";
import { each } from "./api/each.ts";
import { isJson, type Json } from "./api/json.ts";
import { recordOf, roleIn, textIn } from "./record.ts";

/** The items of an organization by id, without their details. */
export interface Inventory {
  readonly organization: RecordOf<"organization">;
  readonly members: ReadonlyMap<string, Member>;
  readonly teams: ReadonlyMap<string, RecordOf<"team">>;
  readonly collections: ReadonlyMap<string, RecordOf<"collection">>;
  readonly spaces: ReadonlyMap<string, RecordOf<"space">>;
  readonly sites: ReadonlyMap<string, Site>;
}

export interface Member {
  readonly user: RecordOf<"user">;
  /** `null` for a guest. */
  readonly role: Role | null;
  /** A disabled member has no access in GitBook. */
  readonly disabled: boolean;
}

export interface Site {
  readonly record: RecordOf<"site">;
  /** Whether this version of the API has roles on sites. */
  readonly hasRoles: boolean;
}

/** Throws a CommandError if the token's user is not an admin of the organization. */
export async function readInventory(client: Client, id: string, concerns: Concerns): Promise<Inventory> {
  const organization = await readOrganization(client, id, concerns);
  const inventory = {
    organization,
    members: new Map<string, Member>(),
    teams: new Map<string, RecordOf<"team">>(),
    collections: new Map<string, RecordOf<"collection">>(),
    spaces: new Map<string, RecordOf<"space">>(),
    sites: new Map<string, Site>(),
  };
  const lists: Readonly<Record<string, (item: Json) => void>> = {
    members: (item) => {
      const member = memberOf(item, concerns);
      inventory.members.set(member.user.id, member);
    },
    teams: (item) => {
      concerns.noteUnknownFields("team", item, `team/${textIn(item, "id")}`);
      const { id: team, title, createdAt } = item;
      const record = recordOf("team", { id: team, organization: id, title, createdAt }, item, concerns);
      inventory.teams.set(record.id, record);
    },
    collections: (item) => {
      const record = contentOf("collection", item, id, concerns);
      inventory.collections.set(record.id, record);
    },
    spaces: (item) => {
      const record = contentOf("space", item, id, concerns);
      inventory.spaces.set(record.id, record);
    },
    sites: (item) => {
      const site = siteOf(item, id, concerns);
      inventory.sites.set(site.record.id, site);
    },
  };
  await each(client, Object.entries(lists), async ([list, take]) => {
    const there = await client.walk(["orgs", id, list], QUERIES[list] ?? {}, take);
    if (!there) throw new CommandError(`GitBook has no list of the ${list} of organization ${id} (404).`);
  });
  return inventory;
}

/** Members are sorted by joining: sorted by last visit, the list would omit those who never visited. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  members: { order: "asc", sort: "joinedAt" },
  collections: { nested: "true" },
};

async function readOrganization(
  client: Client,
  id: string,
  concerns: Concerns,
): Promise<RecordOf<"organization">> {
  const item = await client.get(["orgs", id]);
  if (item === undefined) {
    throw new CommandError(`GitBook has no organization ${id}, or none that the token's user may see (404).`);
  }
  concerns.noteUnknownFields("organization", item, `organization/${id}`);
  if (!isJson(item.permissions) || item.permissions.admin !== true) {
    throw new CommandError(
      `The token's user is not an admin of organization ${id}. Their partial view would look like a mass revocation: ` +
        "use a token of an organization admin.",
    );
  }
  const record = recordOf("organization", { id: item.id, title: item.title }, item, concerns);
  if (record.id === id) return record;
  throw new CommandError(`GitBook answers for organization ${id} with organization ${record.id}.`);
}

function memberOf(item: Json, concerns: Concerns): Member {
  const id = textIn(item, "user", "id");
  const at = `user/${id}`;
  concerns.noteUnknownFields("member", item, at);
  const user = isJson(item.user) ? item.user : {};
  concerns.noteUnknownFields("user", user, at);
  if (typeof item.disabled !== "boolean") {
    throw new CommandError(`GitBook does not say whether member ${id} is disabled. Nothing was written.`);
  }
  return {
    user: recordOf("user", { id, displayName: user.displayName }, user, concerns),
    role: item.role === null ? null : (roleIn(item.role, at, concerns) ?? null),
    disabled: item.disabled,
  };
}

function contentOf<K extends "collection" | "space">(
  kind: K,
  item: Json,
  organization: string,
  concerns: Concerns,
): RecordOf<K> {
  const id = textIn(item, "id");
  const at = `${kind}/${id}`;
  concerns.noteUnknownFields(kind, item, at);
  const { title, parent, createdAt, updatedAt } = item;
  const fields = {
    id,
    organization,
    title,
    ...(parent === undefined || parent === null ? {} : { parent }),
    ...(kind === "space" ? { createdAt, updatedAt } : {}),
    defaultLevel: defaultLevelIn(item.defaultLevel, at, concerns),
  };
  return recordOf(kind, fields, item, concerns);
}

/** An unknown default level becomes closed: `inherit` might let everybody in. */
function defaultLevelIn(value: unknown, at: string, concerns: Concerns): DefaultLevel {
  if (value === null || value === "inherit") return value;
  return roleIn(value, at, concerns) ?? null;
}

function siteOf(item: Json, organization: string, concerns: Concerns): Site {
  const id = textIn(item, "id");
  concerns.noteUnknownFields("site", item, `site/${id}`);
  const { title, defaultLevel } = item;
  if (defaultLevel !== undefined && defaultLevel !== "inherit")
    concerns.note("site-default-levels", `site/${id}`);
  return {
    record: recordOf("site", { id, organization, title }, item, concerns),
    hasRoles: defaultLevel !== undefined,
  };
}
