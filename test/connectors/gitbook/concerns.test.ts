/**
 * A pull stops at data that a snapshot cannot represent, and names them. If the user accepts them, the pull omits them.
 */
import { expect, test } from "vitest";
import { KNOWN_FIELDS } from "../../../src/connectors/gitbook/concerns.ts";
import { snapshotOf } from "../../../src/connectors/gitbook/pull.ts";
import { acme } from "../../examples/acme.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { gitbookOpenapi } from "../../parts/clients.ts";
import { pullFrom } from "./double/pulled.ts";
import { type Beyond, canonical, State, tamed } from "./double/state.ts";

const RECORDS = tamed(acme);

type Entry = Record<string, unknown>;
/** Changes one entry in the answers of one path. */
const distorting = (path: string, id: string, change: (entry: Entry) => Entry): Beyond => ({
  distort: (operation, entry) => (operation === path && idOf(entry) === id ? change(entry) : entry),
});
function idOf({ id, user, team }: Entry): unknown {
  const [grantee] = [user, team].filter((each) => typeof each === "object" && each !== null && "id" in each);
  return id ?? (typeof grantee === "object" && grantee !== null && "id" in grantee ? grantee.id : undefined);
}
const without = (isGone: (record: SnapshotRecord) => boolean) => RECORDS.filter((record) => !isGone(record));
const replaced = (is: (record: SnapshotRecord) => boolean, more: object) =>
  RECORDS.map((record) => (is(record) ? { ...record, ...more } : record));
const isSpace = (id: string) => (record: SnapshotRecord) => record.object === "space" && record.id === id;
const SPACE = "api-reference";
const MEMBERS = "/orgs/{organizationId}/members";
const SPACES = "/orgs/{organizationId}/spaces";

test.each<[kind: string, beyond: Beyond, at: string, left: readonly object[]]>([
  ["site-permissions", { siteUsers: { "acme-docs": { ana: "admin" } } }, "site/acme-docs", RECORDS],
  ["site-default-levels", { siteLevels: { "acme-docs": "read" } }, "site/acme-docs", RECORDS],
  ["site-default-levels", { siteLevels: { "acme-docs": null } }, "site/acme-docs", RECORDS],
  [
    "role:viewer",
    distorting("/spaces/{spaceId}/permissions/users", "tomas", (entry) => ({
      ...entry,
      permission: "viewer",
    })),
    `space/${SPACE}`,
    without(
      (record) => record.object === "permission" && record.space !== undefined && record.user === "tomas",
    ),
  ],
  [
    "role:observer",
    distorting(MEMBERS, "ana", (entry) => ({ ...entry, role: "observer" })),
    "user/ana",
    replaced((record) => record.object === "member" && record.user === "ana", { role: null }),
  ],
  [
    "role:everybody",
    distorting(SPACES, SPACE, (entry) => ({ ...entry, defaultLevel: "everybody" })),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { defaultLevel: null }),
  ],
  [
    "role:undefined",
    distorting(SPACES, SPACE, (entry) => ({ ...entry, defaultLevel: undefined })),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { defaultLevel: null }),
  ],
  [
    "field:space.audience",
    distorting(SPACES, SPACE, (entry) => ({ ...entry, audience: "everybody" })),
    `space/${SPACE}`,
    RECORDS,
  ],
  [
    "field:member.until",
    distorting(MEMBERS, "ana", (entry) => ({ ...entry, until: 1 })),
    "user/ana",
    RECORDS,
  ],
  [
    "value:space.emoji",
    distorting(SPACES, SPACE, (entry) => ({ ...entry, emoji: 7 })),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { emoji: undefined }),
  ],
  [
    "value:space.urls.icon",
    distorting(SPACES, SPACE, (entry) => ({
      ...entry,
      urls: { location: "https://a.example/", icon: "/icon.svg" },
    })),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { urls: { location: "https://a.example/" } }),
  ],
  [
    "strangers",
    { hidden: ["tomas"] },
    "names user/tomas",
    without(
      (record) =>
        ("user" in record && record.user === "tomas") || (record.object === "user" && record.id === "tomas"),
    ),
  ],
])("%s %#", async (kind, beyond, at, left) => {
  const state = new State(RECORDS, beyond);
  const stopped = await pullFrom(state).catch((error: Error) => error.message);
  expect(stopped).toMatch(/^GitBook has data that a snapshot cannot represent:\n/);
  expect(stopped).toContain(`\n  ${kind}: `);
  expect(stopped).toContain(at);
  expect(stopped).toMatch(new RegExp(`Nothing was written\\. To accept this: --accept ${kind}$`));
  // Accepting another kind does not help.
  await expect(pullFrom(state, {}, { accept: ["field:x.y", "role:x"] })).rejects.toThrow(kind);
  const read = await pullFrom(state, {}, { accept: [kind] });
  expect(canonical(snapshotOf(read))).toEqual(canonical(left));
  expect(read.concerns.accepted).toEqual([{ kind, at: [expect.stringContaining(at)] }]);
});

test("several kinds are all named at once", async () => {
  const state = new State(RECORDS, {
    siteUsers: { "acme-docs": { ana: "admin" } },
    hidden: ["tomas"],
  });
  await expect(pullFrom(state)).rejects.toThrow(
    /--accept (site-permissions,strangers|strangers,site-permissions)$/,
  );
});

test.each<[Beyond, RegExp]>([
  [
    distorting(MEMBERS, "ana", (entry) => ({ ...entry, disabled: undefined })),
    /does not say whether member ana is disabled/,
  ],
  [
    distorting(SPACES, SPACE, (entry) => ({ ...entry, id: "../teams" })),
    /space\.id is "\.\.\/teams"; accepted/,
  ],
  [
    distorting(SPACES, SPACE, (entry) => ({ ...entry, title: null })),
    /space\.title is null; accepted: well-formed text/,
  ],
  [distorting(SPACES, SPACE, (entry) => ({ ...entry, parent: 7 })), /space\.parent is 7; accepted/],
  [
    distorting(MEMBERS, "ana", (entry) => ({ ...entry, user: { id: "..", displayName: "x" } })),
    /user\.id is "\.\."/,
  ],
])("a missing required field ends a pull, whatever is accepted %#", async (beyond, message) => {
  const accept = [
    "value:space.parent",
    "value:space.title",
    "value:space.id",
    "value:user.id",
    "value:member.disabled",
  ];
  await expect(pullFrom(new State(RECORDS, beyond), {}, { accept })).rejects.toThrow(message);
});

test("the known fields are those of both documents", () => {
  const schemas = {
    organization: "Organization",
    member: "OrganizationMember",
    user: "User",
    team: "OrganizationTeam",
    teamMember: "OrganizationTeamMember",
    collection: "Collection",
    space: "Space",
    site: "Site",
    siteSpace: "SiteSpace",
  } as const;
  for (const kind of [
    "organization",
    "member",
    "user",
    "team",
    "teamMember",
    "collection",
    "space",
    "site",
    "siteSpace",
  ] as const) {
    const documented = (["0.91.0", "newest"] as const).flatMap((vintage) => {
      const schema = gitbookOpenapi(vintage).components.schemas?.[schemas[kind]];
      const { properties = {}, required = [] }: { properties?: object; required?: string[] } = Object(schema);
      return [...Object.keys(properties), ...required];
    });
    expect(KNOWN_FIELDS[kind].split(" ").sort(), kind).toEqual([...new Set(documented)].sort());
  }
});
