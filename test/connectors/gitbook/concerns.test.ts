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
/** Changes these fields of one entry in the answers of one path. */
const distorting = (path: string, id: string, fields: Entry): Beyond => ({
  distort: (operation, entry) => (operation === path && idOf(entry) === id ? { ...entry, ...fields } : entry),
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
  [
    "role:viewer",
    distorting("/spaces/{spaceId}/permissions/users", "tomas", { permission: "viewer" }),
    `space/${SPACE}`,
    without(
      (record) => record.object === "permission" && record.space !== undefined && record.user === "tomas",
    ),
  ],
  [
    "role:observer",
    distorting(MEMBERS, "ana", { role: "observer" }),
    "user/ana",
    replaced((record) => record.object === "member" && record.user === "ana", { role: null }),
  ],
  [
    "role:everybody",
    distorting(SPACES, SPACE, { defaultLevel: "everybody" }),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { defaultLevel: null }),
  ],
  [
    "role:undefined",
    distorting(SPACES, SPACE, { defaultLevel: undefined }),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { defaultLevel: null }),
  ],
  ["field:space.audience", distorting(SPACES, SPACE, { audience: "everybody" }), `space/${SPACE}`, RECORDS],
  ["field:member.until", distorting(MEMBERS, "ana", { until: 1 }), "user/ana", RECORDS],
  [
    "value:space.emoji",
    distorting(SPACES, SPACE, { emoji: 7 }),
    `space/${SPACE}`,
    replaced(isSpace(SPACE), { emoji: undefined }),
  ],
  [
    "value:space.urls.icon",
    distorting(SPACES, SPACE, { urls: { location: "https://a.example/", icon: "/icon.svg" } }),
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
    ...distorting("/spaces/{spaceId}/permissions/users", "tomas", { until: 1 }),
    hidden: ["ana"],
  });
  await expect(pullFrom(state)).rejects.toThrow(/--accept field:permission\.until,strangers$/);
});

test.each<[Beyond, RegExp]>([
  [distorting(MEMBERS, "ana", { disabled: undefined }), /does not say whether member ana is disabled/],
  [distorting(SPACES, SPACE, { id: "../teams" }), /space\.id is "\.\.\/teams"; accepted/],
  [distorting(SPACES, SPACE, { title: null }), /space\.title is null; accepted: well-formed text/],
  [distorting(SPACES, SPACE, { parent: 7 }), /space\.parent is 7; accepted/],
  [distorting(MEMBERS, "ana", { user: { id: "..", displayName: "x" } }), /user\.id is "\.\."/],
])("a missing required field ends a pull, whatever is accepted %#", async (beyond, message) => {
  const fields = ["space.parent", "space.title", "space.id", "user.id", "member.disabled"];
  const accept = fields.map((field) => `value:${field}`);
  await expect(pullFrom(new State(RECORDS, beyond), {}, { accept })).rejects.toThrow(message);
});

test.each([
  ["organization", "Organization"],
  ["member", "OrganizationMember"],
  ["user", "User"],
  ["team", "OrganizationTeam"],
  ["teamMember", "OrganizationTeamMember"],
  ["collection", "Collection"],
  ["space", "Space"],
  ["site", "Site"],
  ["siteSpace", "SiteSpace"],
  ["permission", "UserContentPermission", "UserSitePermissionOverride", "TeamSitePermissionOverride"],
] as const)("the known fields of %s are those of both documents", (kind, ...names) => {
  const documented = (["0.91.0", "newest"] as const).flatMap((vintage) =>
    names.flatMap((name) => {
      const schema = gitbookOpenapi(vintage).components.schemas?.[name];
      const { properties = {}, required = [] }: { properties?: object; required?: string[] } = Object(schema);
      return [...Object.keys(properties), ...required];
    }),
  );
  expect(KNOWN_FIELDS[kind].split(" ").sort()).toEqual([...new Set(documented)].sort());
});
