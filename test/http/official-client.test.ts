import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { THINGS } from "../../src/operations/things.ts";
import { createToken } from "../../src/store/tokens.ts";
import { organizationIds } from "../oracle/facts.ts";
import { oracle } from "../oracle/oracle.ts";
import { ROLES, type SnapshotRecord } from "../oracle/records.ts";
import { GitBookAPI091, GitBookAPINewest, gitbookOpenapi, isClientRole } from "../parts/clients.ts";
import { stopClock } from "../setup/clock.ts";
import { PUBLIC_URL, ownPlace, World } from "../world.ts";

/** The unchanged official client walks every endpoint of a server. */

const RECORDS: SnapshotRecord[] = readFileSync(new URL("../../examples/acme.ndjson", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): SnapshotRecord => JSON.parse(line));
const EMPTY = RECORDS.filter(({ object }) => object === "organization");
/** The day of the first import, which made revision 1. */
const DAY = new Date(Date.now() - 3 * 24 * 60 * 60_000).toISOString().slice(0, 10);
const expected = oracle(RECORDS, { publicUrl: PUBLIC_URL });

let world: World;
let endpoint: string;
let authToken: string;
beforeAll(async () => {
  world = await World.open(ownPlace);
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(`${DAY}T12:00:00Z`) });
  await world.import(RECORDS);
  vi.useRealTimers();
  authToken = await world.token("acme");
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  endpoint = `http://127.0.0.1:${world.app.addresses()[0]?.port}`;
});
afterAll(() => world.close());

interface ListAnswer {
  data: { next?: { page: string } | undefined; items: unknown[] };
}
type Ask = (query: { page?: string; limit: number }) => Promise<ListAnswer>;

/** All items of a listing from a page on, two per page. */
async function walk(ask: Ask, validate: (body: unknown) => void, from?: string): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page = from; ;) {
    const { data } = await ask({ limit: 2, ...(page === undefined ? {} : { page }) });
    validate(data);
    items.push(...data.items);
    page = data.next?.page;
    if (page === undefined) return JSON.parse(JSON.stringify(items));
  }
}

describe.each([
  ["0.91.0", GitBookAPI091],
  ["newest", GitBookAPINewest],
] as const)("@gitbook/api %s", (version, Client) => {
  const organization = organizationIds(RECORDS)[0] ?? "";
  // The client does not encode ids in paths.
  const plain = expected
    .listings(organization)
    .filter((each) => (each.endpoint !== 18 && each.endpoint !== 19) || version === "newest")
    .filter((listing) => !("user" in listing && /[^\w@.-]/.test(listing.user)));

  const some = plain.filter(
    ({ endpoint }, index) =>
      index % 5 === 0 || index === plain.findIndex((each) => each.endpoint === endpoint),
  );

  test.each([
    [plain.length, "now", plain, ""],
    [some.length, "as of a past revision", some, "/at/1"],
    [some.length, "as of a day", some, `/at/${DAY}`],
  ])("walks %i listings of all endpoints, %s", async (_, __, listings, at) => {
    // The member has no permissions now: only organization admins and organization tokens may read the past.
    await world.import(at === "" ? RECORDS : EMPTY);
    const api = new Client({ endpoint: endpoint + at, authToken });
    const endpoints = new Set<number>();
    for (const listing of listings) {
      endpoints.add(listing.endpoint);
      const [operation, ask] = asking(api, organization, listing);
      const validate = version === "0.91.0" ? validatorFor(operation) : () => {};
      expect(await walk(ask, validate), JSON.stringify(listing)).toEqual(
        expected.list(organization, listing),
      );
    }
    // 0.91.0 has no permissions of sites.
    expect(endpoints.size).toBe(version === "newest" ? OPERATIONS.length : OPERATIONS.length - 2);
  });

  test("gets every single thing", async () => {
    await world.import(RECORDS);
    const asked = new Set<string>();
    for (const user of [undefined, "ana"]) {
      const caller =
        user === undefined ? ({ kind: "organization" } as const) : ({ kind: "member", user } as const);
      // An import of the other tests deletes the tokens of members.
      const own = await createToken(world.store, { organization, member: user, name: "test" });
      const api = new Client({ endpoint, authToken: own });
      for (const thing of expected.things(organization)) {
        if ("id" in thing && /[^\w@.-]/.test(thing.id)) continue;
        if (expected.mayAsk(organization, caller, thing, organization) !== 200) continue;
        const [operation, ask] = getting(api, organization, thing);
        asked.add(operation);
        const { data } = await ask;
        const sent: unknown = JSON.parse(JSON.stringify(data));
        if (version === "0.91.0") validatorFor(operation)(sent);
        expect(sent, JSON.stringify(thing)).toEqual(expected.thing(organization, thing, caller));
      }
    }
    expect([...asked].sort()).toEqual(THINGS.map(({ id }) => id).sort());
  });

  test("a walk that began before many changes, now or as of today, ends on its first revision", async () => {
    stopClock();
    await world.import(RECORDS);
    const listing = plain.find((each) => each.endpoint === 3 && each.role === undefined);
    if (listing === undefined) throw new Error("Acme has no space.");
    const asks = ["", `/at/${new Date().toISOString().slice(0, 10)}`].map(
      (at) => asking(new Client({ endpoint: endpoint + at, authToken }), organization, listing)[1],
    );
    const begun = await Promise.all(asks.map((ask) => ask({ limit: 2 })));
    await change(CHANGES);
    const whole = expected.list(organization, listing);
    for (const [index, ask] of asks.entries()) {
      const { items, next } = begun[index]?.data ?? { items: [] };
      if (next === undefined) throw new Error("The list is one page.");
      const rest = await walk(ask, () => {}, next.page);
      expect(JSON.parse(JSON.stringify([...items, ...rest]))).toEqual(whole);
      // A new walk reads the state after the changes.
      expect(await walk(ask, () => {})).not.toEqual(whole);
    }
  });
});

/**
 * The number of change files; each gives everybody another organization role. On PostgreSQL, each change waits for the
 * servers.
 */
const CHANGES = process.env.ROLEBOOK_TEST_RUNS === undefined ? 100 : 10;

async function change(count: number): Promise<void> {
  for (let serial = 0; serial < count; serial++) {
    const members = RECORDS.flatMap((record) =>
      record.object === "member" ? [{ ...record, role: ROLES[serial % ROLES.length] }] : [],
    );
    const lines = [{ object: "changes", organization: "acme" }, ...members];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const read = await readChange(world.file(text, "changes.ndjson"), false, () => {});
    await applyChange(world.store.engine, read, { allowRemovals: true });
  }
}

type Listing = ReturnType<typeof expected.listings>[number];
type Thing = ReturnType<typeof expected.things>[number];
type Api = InstanceType<typeof GitBookAPI091> | InstanceType<typeof GitBookAPINewest>;

function asking(api: Api, organization: string, listing: Listing): [operation: string, ask: Ask] {
  const { spaces, collections, orgs } = api;
  switch (listing.endpoint) {
    case 1:
      return [
        "listUserPermissionsInSpace",
        (query) => spaces.listUserPermissionsInSpace(listing.space, query),
      ];
    case 2:
      return [
        "listTeamPermissionsInSpace",
        (query) => spaces.listTeamPermissionsInSpace(listing.space, query),
      ];
    case 3: {
      const filter = isClientRole(listing.role) ? { role: listing.role } : {};
      return [
        "listPermissionsAggregateInSpace",
        (query) => spaces.listPermissionsAggregateInSpace(listing.space, { ...query, ...filter }),
      ];
    }
    case 4:
      return [
        "listTeamPermissionsInCollection",
        (query) => collections.listTeamPermissionsInCollection(listing.collection, query),
      ];
    case 5:
      return [
        "listUserPermissionsInCollection",
        (query) => collections.listUserPermissionsInCollection(listing.collection, query),
      ];
    case 6: {
      const filter = isClientRole(listing.role) ? { role: listing.role } : {};
      return [
        "listPermissionsAggregateInCollection",
        (query) =>
          collections.listPermissionsAggregateInCollection(listing.collection, { ...query, ...filter }),
      ];
    }
    case 7: {
      const order = listing.order === undefined ? {} : { order: listing.order };
      return [
        "listSpacesForOrganizationMember",
        (query) => orgs.listSpacesForOrganizationMember(organization, listing.user, { ...query, ...order }),
      ];
    }
    case 8: {
      const { endpoint: _, site, ...filters } = listing;
      return [
        "listPermissionsAggregateInSite",
        (query) => orgs.listPermissionsAggregateInSite(organization, site, { ...query, ...plainly(filters) }),
      ];
    }
    case 9: {
      const title = listing.title === undefined ? {} : { title: listing.title };
      return [
        "listTeamsForOrganizationMember",
        (query) => orgs.listTeamsForOrganizationMember(organization, listing.user, { ...query, ...title }),
      ];
    }
    case 10: {
      const { endpoint: _, ...filters } = listing;
      return [
        "listMembersInOrganizationById",
        (query) => orgs.listMembersInOrganizationById(organization, { ...query, ...plainly(filters) }),
      ];
    }
    case 11: {
      const { endpoint: _, ...filters } = listing;
      return [
        "listTeamsInOrganizationById",
        (query) => orgs.listTeamsInOrganizationById(organization, { ...query, ...filters }),
      ];
    }
    case 18: {
      if (!("listUserPermissionsInSite" in orgs)) throw new Error("This client has no permissions of sites.");
      const newest = orgs;
      return [
        "listUserPermissionsInSite",
        (query) => newest.listUserPermissionsInSite(organization, listing.site, query),
      ];
    }
    case 19: {
      if (!("listTeamPermissionsInSite" in orgs)) throw new Error("This client has no permissions of sites.");
      const newest = orgs;
      return [
        "listTeamPermissionsInSite",
        (query) => newest.listTeamPermissionsInSite(organization, listing.site, query),
      ];
    }
    case 14:
      return ["listSites", (query) => orgs.listSites(organization, query)];
    case 15:
      return [
        "listTeamMembersInOrganizationById",
        (query) => orgs.listTeamMembersInOrganizationById(organization, listing.team, query),
      ];
    case 16:
      return ["listSiteSpaces", (query) => orgs.listSiteSpaces(organization, listing.site, query)];
    case 17:
      return [
        "listSpacesInCollectionById",
        (query) => collections.listSpacesInCollectionById(listing.collection, query),
      ];
    case 12:
      return [
        "listSpacesInOrganizationById",
        (query) => orgs.listSpacesInOrganizationById(organization, query),
      ];
    case 13: {
      const nested = listing.nested === undefined ? {} : { nested: true };
      return [
        "listCollectionsInOrganizationById",
        (query) => orgs.listCollectionsInOrganizationById(organization, { ...query, ...nested }),
      ];
    }
  }
}

/** Filters as a JavaScript caller gives them: the types of 0.91.0 lack some. */
function plainly(filters: Readonly<Record<string, string>>): Record<string, string> {
  return { ...filters };
}

function getting(
  { spaces, collections, orgs, users, user }: Api,
  organization: string,
  thing: Thing,
): [operation: string, answer: Promise<{ data: unknown }>] {
  switch (thing.one) {
    case "organization":
      return ["getOrganizationById", orgs.getOrganizationById(organization)];
    case "member":
      return ["getMemberInOrganizationById", orgs.getMemberInOrganizationById(organization, thing.id)];
    case "team":
      return ["getTeamInOrganizationById", orgs.getTeamInOrganizationById(organization, thing.id)];
    case "site":
      return ["getSiteById", orgs.getSiteById(organization, thing.id)];
    case "space":
      return ["getSpaceById", spaces.getSpaceById(thing.id)];
    case "collection":
      return ["getCollectionById", collections.getCollectionById(thing.id)];
    case "user":
      return ["getUserById", users.getUserById(thing.id)];
    case "caller":
      return ["getAuthenticatedUser", user.getAuthenticatedUser()];
  }
}

const validators = new Map<string, (body: unknown) => void>();

/** Validates an answer against the OpenAPI document of the 0.91.0 package. */
function validatorFor(operation: string): (body: unknown) => void {
  const known = validators.get(operation);
  if (known !== undefined) return known;
  const document = openapi();
  const path =
    Object.entries(document.paths).find(([, item]) => item.get?.operationId === operation)?.[0] ?? "";
  const pointer = `openapi#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/get/responses/200/content/application~1json/schema`;
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { emoji: true, date: true, "date-time": true, uri: true },
  });
  ajv.addSchema(document, "openapi");
  const check = ajv.compile({ $ref: encodeURI(pointer) });
  const validate = (body: unknown) => {
    check(body);
    expect(check.errors ?? [], operation).toEqual([]);
  };
  validators.set(operation, validate);
  return validate;
}

interface Schema {
  required?: string[];
  properties?: { urls?: Schema };
}

interface Document {
  paths: Record<string, { get?: { operationId?: string } }>;
  components: {
    schemas: Record<
      "Space" | "Collection" | "OrganizationMember" | "Organization" | "Site" | "SiteSpace",
      Schema
    >;
  };
}

/** The document, which requires fields that a snapshot does not have; it does not even define `type` of a Space. */
function openapi(): Document {
  const document: Document = JSON.parse(JSON.stringify(gitbookOpenapi()));
  const { Space, Collection, OrganizationMember, Organization, Site, SiteSpace } =
    document.components.schemas;
  optional(Space, "type");
  optional(Collection, "permissions");
  optional(Collection.properties?.urls, "app");
  optional(OrganizationMember, "disabled", "joinedAt", "sso", "spaces", "teams");
  optional(Organization, "createdAt", "emailDomains", "type", "inviteLinks", "plan", "permissions");
  optional(Organization.properties?.urls, "app");
  optional(Site, "defaultSpace", "type", "visibility", "published", "siteSpaces", "createdAt");
  optional(Site.properties?.urls, "app");
  optional(SiteSpace, "id", "path", "title", "urls");
  return document;
}

function optional(schema: Schema | undefined, ...names: string[]): void {
  if (schema?.required === undefined) throw new Error(`Nothing requires ${names.join(", ")}.`);
  for (const name of names) {
    expect(schema.required).toContain(name);
    schema.required.splice(schema.required.indexOf(name), 1);
  }
}
