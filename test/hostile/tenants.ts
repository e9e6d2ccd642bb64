import * as fc from "fast-check";
import { createToken, listTokens, revokeToken } from "../../src/store/tokens.ts";
import { organizationIds } from "../oracle/facts.ts";
import { type Listing, type Oracle, oracle } from "../oracle/oracle.ts";
import { neighbouring } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, sqlitePlace, World } from "../world.ts";

/** One organization, with the oracle's view of it. */
export interface Tenant {
  readonly id: string;
  readonly oracle: Oracle;
  /** Existing listings, then absent ones. */
  readonly listings: readonly Listing[];
  readonly members: readonly string[];
  /** A text in every name and title of this organization, and in no other. */
  readonly mark: string;
}

/** The organization and member of a token. */
export interface Holder {
  readonly tenant: Tenant;
  readonly member: string | undefined;
  readonly token: string;
}

/** A server with several organizations that have the same ids and users, and tokens for all of them. */
export interface Tenants {
  readonly world: World;
  readonly port: number;
  readonly all: readonly Tenant[];
  readonly holders: readonly Holder[];
  /** Tokens that are no longer valid. */
  readonly dead: readonly string[];
  close(): Promise<void>;
}

/** Adds a mark to the names and titles of a record. No request contains the mark. */
function marked(record: SnapshotRecord, mark: string): SnapshotRecord {
  if (record.object === "user") return { ...record, displayName: `${record.displayName} ${mark}` };
  return "title" in record ? { ...record, title: `${record.title} ${mark}` } : record;
}

function tenantsOf(records: readonly SnapshotRecord[], mark: string): Tenant[] {
  const all = oracle(records, { publicUrl: PUBLIC_URL });
  return organizationIds(records).map((id) => ({
    id,
    oracle: all,
    listings: [...all.listings(id), ...all.absent(id)],
    members: records.flatMap((record) =>
      record.object === "member" && record.organization === id ? record.user : [],
    ),
    mark,
  }));
}

/** Two imports of one or two organizations each, generated from a fixed seed so that failures repeat. */
export async function openTenants(seed = 4, openPlace: OpenPlace = sqlitePlace): Promise<Tenants> {
  const sizes = {
    maxOrganizations: 2,
    minMembers: 6,
    maxMembers: 12,
    minContents: 6,
    maxContents: 10,
    minPermissions: 15,
    maxPermissions: 40,
    maxTeams: 6,
    maxSites: 3,
  };
  const [pair] = fc.sample(neighbouring(sizes), { seed, numRuns: 1 });
  if (pair === undefined) throw new Error("no organizations");
  const world = await World.open(openPlace);
  const found: Tenant[] = [];
  for (const [index, records] of pair.entries()) {
    const mark = `mark${index}q`;
    const own = records.map((record) => marked(record, mark));
    await world.import(own);
    found.push(...tenantsOf(own, mark));
  }
  const holders: Holder[] = [];
  for (const tenant of found) {
    for (const member of [undefined, ...tenant.members]) {
      holders.push({ tenant, member, token: await world.token(tenant.id, member) });
    }
  }
  const dead = await deadTokens(world, found[0]?.id ?? "");
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const port = world.app.addresses()[0]?.port ?? 0;
  return { world, port, all: found, holders, dead, close: () => world.close() };
}

async function deadTokens({ store }: World, organization: string): Promise<string[]> {
  const expired = await createToken(store, { organization, name: "expired", lifetime: -1000 });
  const revoked = await createToken(store, { organization, name: "revoked" });
  const { id } = (await listTokens(store.engine)).find(({ name }) => name === "revoked") ?? { id: "" };
  await revokeToken(store.engine, id);
  return [expired, revoked];
}
