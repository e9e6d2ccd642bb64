/**
 * What a pull reads: the inventory (all items of the organization), then the details of each item (who is in a team, who
 * was given what on a content, which spaces a site has). Each item becomes the record of a snapshot at once.
 */
import { IsObject, type TObject } from "typebox";
import { type ContentKey, type DefaultLevel, contentKey } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import { type Role, isRole } from "../../domain/role.ts";
import { show } from "../../snapshot/problem.ts";
import { type ObjectKind, RECORDS, type RecordOf } from "../../snapshot/records.ts";
import { validate } from "../../snapshot/validate.ts";
import { type JsonObject, isObject } from "../../domain/json.ts";
import { type GitBookClient, each } from "./client.ts";
import type { Concerns } from "./concerns.ts";

/** These fields come only from `fields`, never from GitBook's item. */
const DECIDED = ["parent", "defaultLevel"];

/** The optional fields that GitBook has for a kind of record, with their inner fields. */
function optionalFields(kind: ObjectKind): (readonly [name: string, inner: readonly string[] | undefined])[] {
  if (kind !== "user" && kind !== "space") return [];
  const { properties, required }: TObject = RECORDS[kind];
  return Object.entries(properties)
    .filter(([name]) => !required?.includes(name) && !DECIDED.includes(name))
    .map(([name, field]) => [name, IsObject(field) ? Object.keys(field.properties) : undefined]);
}

/**
 * The record of an item: its required fields are `fields`, its optional ones come from `item`. Throws a CommandError if
 * a required field is invalid. An optional field that is invalid is left out, and is a concern.
 */
function recordOf<K extends ObjectKind>(
  kind: K,
  fields: JsonObject,
  item: JsonObject,
  concerns: Concerns,
): RecordOf<K> {
  let record = checked(kind, { object: kind, ...fields });
  const attempt = (more: JsonObject, name: string) => {
    const next = validate({ ...record, ...more });
    if (typeof next !== "string" && isOf(kind, next)) record = next;
    else concerns.note(`value:${kind}.${name}`, `${kind}/${String(fields.id)}`);
  };
  for (const [name, inner] of optionalFields(kind)) {
    const value = item[name];
    if (value === undefined || value === null) continue;
    if (inner === undefined || !isObject(value)) {
      attempt({ [name]: value }, name);
      continue;
    }
    let taken: JsonObject = {};
    for (const key of inner) {
      if (value[key] === undefined || value[key] === null) continue;
      const before = record;
      attempt({ [name]: { ...taken, [key]: value[key] } }, `${name}.${key}`);
      if (record !== before) taken = { ...taken, [key]: value[key] };
    }
  }
  return record;
}

function checked<K extends ObjectKind>(kind: K, candidate: JsonObject): RecordOf<K> {
  const record = validate(candidate);
  if (typeof record !== "string" && isOf(kind, record)) return record;
  throw new CommandError(
    `GitBook has a ${kind} that a snapshot cannot represent: ${String(record)} (${show(candidate)}). Nothing was written.`,
  );
}

function isOf<K extends ObjectKind>(kind: K, record: { readonly object: string }): record is RecordOf<K> {
  return record.object === kind;
}

/** `undefined` for an unknown role, which is a concern. */
function roleIn(value: unknown, at: string, concerns: Concerns): Role | undefined {
  if (isRole(value)) return value;
  concerns.note(`role:${String(value)}`, at);
  return undefined;
}

/** Throws a CommandError if there is no text at this path. */
export function textIn(item: unknown, ...path: readonly string[]): string {
  let value = item;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  if (typeof value === "string") return value;
  throw new CommandError(`GitBook's answer has no ${path.join(".")}: ${show(item)}. Nothing was written.`);
}

/** The items of an organization by id, without their details. */
export interface Inventory {
  readonly organization: RecordOf<"organization">;
  readonly members: ReadonlyMap<string, InventoryMember>;
  readonly teams: ReadonlyMap<string, RecordOf<"team">>;
  readonly collections: ReadonlyMap<string, RecordOf<"collection">>;
  readonly spaces: ReadonlyMap<string, RecordOf<"space">>;
  readonly sites: ReadonlyMap<string, InventorySite>;
}

interface InventoryMember {
  readonly user: RecordOf<"user">;
  /** `null` for a guest. */
  readonly role: Role | null;
  /** A disabled member has no access in GitBook. */
  readonly disabled: boolean;
}

interface InventorySite {
  readonly record: RecordOf<"site">;
  /** Whether this version of the API has roles on sites. */
  readonly hasRoles: boolean;
}

/** Throws a CommandError if the token's user is not an admin of the organization. */
export async function readInventory(
  client: GitBookClient,
  id: string,
  concerns: Concerns,
): Promise<Inventory> {
  const organization = await readOrganization(client, id, concerns);
  const inventory = {
    organization,
    members: new Map<string, InventoryMember>(),
    teams: new Map<string, RecordOf<"team">>(),
    collections: new Map<string, RecordOf<"collection">>(),
    spaces: new Map<string, RecordOf<"space">>(),
    sites: new Map<string, InventorySite>(),
  };
  const lists: Readonly<Record<string, (item: JsonObject) => void>> = {
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
  client: GitBookClient,
  id: string,
  concerns: Concerns,
): Promise<RecordOf<"organization">> {
  const item = await client.get(["orgs", id]);
  if (item === undefined) {
    throw new CommandError(`GitBook has no organization ${id}, or none that the token's user may see (404).`);
  }
  concerns.noteUnknownFields("organization", item, `organization/${id}`);
  if (!isObject(item.permissions) || item.permissions.admin !== true) {
    throw new CommandError(
      `The token's user is not an admin of organization ${id}. Their partial view would look like a mass revocation: ` +
        "use a token of an organization admin.",
    );
  }
  const record = recordOf("organization", { id: item.id, title: item.title }, item, concerns);
  if (record.id === id) return record;
  throw new CommandError(`GitBook answers for organization ${id} with organization ${record.id}.`);
}

function memberOf(item: JsonObject, concerns: Concerns): InventoryMember {
  const id = textIn(item, "user", "id");
  const at = `user/${id}`;
  concerns.noteUnknownFields("member", item, at);
  const user = isObject(item.user) ? item.user : {};
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
  item: JsonObject,
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

function siteOf(item: JsonObject, organization: string, concerns: Concerns): InventorySite {
  const id = textIn(item, "id");
  const at = `site/${id}`;
  concerns.noteUnknownFields("site", item, at);
  const { title, defaultLevel } = item;
  const isSilent =
    defaultLevel === undefined || defaultLevel === "inherit" || concerns.leaveOut("site-permissions", at);
  const level = isSilent ? {} : { defaultLevel: defaultLevelIn(defaultLevel, at, concerns) };
  return {
    record: recordOf("site", { id, organization, title, ...level }, item, concerns),
    hasRoles: defaultLevel !== undefined,
  };
}

export interface Grants<Given = Role> {
  readonly users: ReadonlyMap<string, Given>;
  readonly teams: ReadonlyMap<string, Given>;
}

/** On a site, `null` is no access. */
export interface SiteDetails extends Grants<Role | null> {
  /** The ids of its spaces. */
  readonly spaces: ReadonlySet<string>;
}

/** The details of an inventory's items. An item that did not exist any more has none. */
export interface Details {
  /** The role of each member in a team, by team. */
  readonly teams: Map<string, ReadonlyMap<string, "owner" | "member">>;
  readonly grants: Map<ContentKey, Grants>;
  readonly sites: Map<string, SiteDetails>;
}

export interface Thing {
  readonly kind: "team" | "collection" | "space" | "site";
  readonly id: string;
}

export function thingsOn(inventory: Inventory): Thing[] {
  const of = (kind: Thing["kind"], ids: Iterable<string>) => [...ids].map((id): Thing => ({ kind, id }));
  return [
    ...of("team", inventory.teams.keys()),
    ...of("collection", inventory.collections.keys()),
    ...of("space", inventory.spaces.keys()),
    ...of("site", inventory.sites.keys()),
  ];
}

/** How many requests the details of an item take if each of its lists is one page. */
export function requestsFor({ kind, id }: Thing, inventory: Inventory): number {
  if (kind === "site") return inventory.sites.get(id)?.hasRoles === true ? 3 : 1;
  return kind === "team" ? 1 : 2;
}

/** Reads the details of an item and replaces those read before. */
export async function readDetails(
  client: GitBookClient,
  { kind, id }: Thing,
  inventory: Inventory,
  details: Details,
  concerns: Concerns,
): Promise<void> {
  const organization = inventory.organization.id;
  if (kind === "team") {
    const members = new Map<string, "owner" | "member">();
    const there = await client.walk(["orgs", organization, "teams", id, "members"], {}, (item) => {
      const user = textIn(item, "organization", "user", "id");
      concerns.noteUnknownFields("teamMember", item, `team/${id}`);
      members.set(user, teamRoleIn(item, `team/${id}`, concerns));
    });
    keep(details.teams, id, there ? members : undefined);
  } else if (kind === "site") {
    const spaces = new Set<string>();
    const path = ["orgs", organization, "sites", id];
    const there = await client.walk([...path, "site-spaces"], {}, (item) => {
      concerns.noteUnknownFields("siteSpace", item, `site/${id}`);
      spaces.add(textIn(item, "space", "id"));
    });
    let given: Grants<Role | null> | undefined = { users: new Map(), teams: new Map() };
    if (there && inventory.sites.get(id)?.hasRoles === true) {
      given = await grantsAt(client, path, `site/${id}`, concerns, (value) => {
        if (concerns.leaveOut("site-permissions", `site/${id}`)) return undefined;
        return value === null ? null : roleIn(value, `site/${id}`, concerns);
      });
    }
    keep(details.sites, id, there && given !== undefined ? { ...given, spaces } : undefined);
  } else {
    const at = `${kind}/${id}`;
    const roleOf = (value: unknown) => roleIn(value, at, concerns);
    keep(
      details.grants,
      contentKey(kind, id),
      await grantsAt(client, [`${kind}s`, id], at, concerns, roleOf),
    );
  }
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** The permissions below a path; `undefined` if there is no such item. `roleOf` leaves out what it does not know. */
async function grantsAt<Given>(
  client: GitBookClient,
  path: readonly string[],
  at: string,
  concerns: Concerns,
  roleOf: (value: unknown) => Given | undefined,
): Promise<Grants<Given> | undefined> {
  const given = { users: new Map<string, Given>(), teams: new Map<string, Given>() };
  for (const to of ["user", "team"] as const) {
    const there = await client.walk([...path, "permissions", `${to}s`], {}, (item) => {
      concerns.noteUnknownFields("permission", item, at);
      keep(given[`${to}s`], textIn(item, to, "id"), roleOf(item.permission));
    });
    if (!there) return undefined;
  }
  return given;
}

/** An unknown role becomes the lower one, because a role in a team gives no access to content. */
function teamRoleIn(item: JsonObject, at: string, concerns: Concerns): "owner" | "member" {
  const role = textIn(item, "team", "role");
  if (role === "owner" || role === "member") return role;
  concerns.note("value:teamMember.role", at);
  return "member";
}
