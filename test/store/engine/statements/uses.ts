import { applyChange, RefusedChange } from "../../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../../src/snapshot/changes/read.ts";
import { freshness } from "../../../../src/store/revisions/organizations.ts";
import { beginSession, endSession, listBindings, prolong, unbind } from "../../../../src/store/sign-ins.ts";
import { LastUsed } from "../../../../src/store/tokens.ts";
import { loadUsedLast } from "../../../../src/store/used-last.ts";
import { modelOf } from "../../../../src/store/models.ts";
import { RecentChanges } from "../../../../src/store/writing/resolve/recent.ts";
import { readConsistently } from "../../../../src/store/revisions/consistent-read.ts";
import { prune, sweep } from "../../../../src/store/rows/prune.ts";
import { forgetUser } from "../../../../src/store/rows/forget.ts";
import { findingsOf } from "../../../../src/store/rows/verify.ts";
import { changeHistory, expiring, historyOf } from "../../../../src/store/revisions/history.ts";
import { keptOf } from "../../../../src/store/revisions/history.ts";
import { listRevisions, revisionsUpTo } from "../../../../src/store/revisions/past.ts";
import {
  listOrganizations,
  countTokens,
  endRemoval,
  removeOrganization,
} from "../../../../src/store/revisions/organizations.ts";
import { reportRows } from "../../../../src/store/report.ts";
import type { ReportScope } from "../../../../src/domain/scope.ts";
import { rotateToken } from "../../../../src/store/tokens.ts";
import { createToken, listTokens, revokeToken } from "../../../../src/store/tokens.ts";
import type { World } from "../../../world.ts";
import { ADMIN, GUEST, MEMBER } from "./endpoints.ts";
import { applied, removeMember } from "./nodes.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { SHAPE, user } from "../../shape.ts";

/** The callers of the tests: an organization token, and members. */
export const HOLDERS: readonly (string | undefined)[] = [undefined, ADMIN, MEMBER, GUEST];

const PAGE = 20;

const LISTS = [
  "space=wide",
  "space=narrow&role=read",
  "space=sparse&role=edit",
  "collection=closed",
  "space=wide&tab=people",
  "space=wide&tab=teams",
  "site=both",
  "site=both&role=comment",
  "site=both&tab=spaces",
  "member={self}",
  "member={self}&order=asc",
  "member={self}&role=edit",
  "member={self}&tab=teams",
  "member={self}&tab=teams&q=team",
  "team=small",
  "team=small&tab=members",
  "list=members",
  "list=members&q=member%2012",
  "list=teams",
  "list=teams&q=team",
];
/** Filtered lists. */
const NARROWED = [
  "space=wide&q=member%2012&guests=only",
  "space=wide&least=edit&reason=direct,team&sort=id",
  "member={self}&q=space&deleted=only",
  "member={self}&deleted=none&least=edit",
  "team=small&deleted=none&q=space",
];
const SOURCES = ["team/small", "team/small@collection/closed", "default@collection/closed"];
/** Effects of removing sources, and comparisons of people. */
const DIFFERENCES = [
  "list=contents&without=team/small",
  "list=pairs&without=team/small",
  "collection=closed&tab=without&without=default@collection/closed",
  "space=narrow&tab=within&within=small",
  `member={self}&tab=compare&with=${user(3)}`,
  "team=small&tab=reach",
  ...["collection=closed", "site=both"].map((scope) => `${scope}&tab=compare&user={self}&with=${user(3)}`),
];
const THINGS = ["space=wide", "collection=closed", "site=both", "member={self}", "team=small"];

/**
 * The explorer's requests. `{self}` stands for the caller; for an organization token, for a member. Requests for files
 * have no pages.
 */
export const EXPLORER: readonly string[] = [
  "me",
  "rules",
  "overview",
  "access?list=contents&show=closed",
  "access?list=contents&show=spaces",
  "tree",
  "tree?parent=closed",
  "tree?kind=site",
  ...THINGS.map((thing) => `tree?${thing}`),
  ...THINGS.map((thing) => `counts?${thing}`),
  ...["space=wide", "collection=closed", "site=both"].flatMap((thing) =>
    ["{self}", GUEST].map((user) => `why?${thing}&user=${user}`),
  ),
  ...["wide", "space s0", "member 12", "m12", "team", "both", "user"].map(
    (text) => `search?q=${encodeURIComponent(text)}`,
  ),
  "search?q=member&kind=member",
  ...SOURCES.map((source) => `without?without=${source}`),
  ...SOURCES.map((source) => `without?collection=closed&without=${source}`),
  "report?space=narrow",
  "revisions",
  ...["space=wide", "collection=closed", "member={self}", "team=small"].map((thing) => `changes?${thing}`),
  ...["", "&collection=closed", "&member={self}"].map((thing) => `since?earlier=1${thing}`),
  ...[...LISTS, ...NARROWED, ...DIFFERENCES].map((list) => `access?${list}`),
].map((question) => `/explorer/${question}`);

export const FILES: readonly string[] = LISTS.map((list) => `/explorer/csv?${list}`);

/**
 * Requests the first and later pages of `limit` entries, or of the default limit. Requests that are refused are
 * included, because they run statements too.
 */
export async function askAll(
  world: World,
  paths: readonly string[],
  holder: string | undefined,
  limit?: number,
): Promise<void> {
  const token = await world.token(SHAPE, holder);
  for (const each of paths) {
    const path = each.replace("{self}", holder ?? MEMBER);
    const mark = path.includes("?") ? "&" : "?";
    for (let more = limit === undefined ? "" : `${mark}limit=${limit}`, index = 0; index < 3; index++) {
      const { status, body } = await world.get(`${path}${more}`, token);
      if (![200, 403, 404].includes(status)) throw new Error(`GET ${path}: ${status} ${body}`);
      const [, next] = /"next":\{"page":"([^"]+)"/.exec(body) ?? [];
      if (next === undefined) break;
      more = `${mark}limit=${limit ?? PAGE}&page=${next}`;
    }
  }
}

/** Runs the commands that read, and the monitoring requests. */
export async function readAll(world: World): Promise<void> {
  const { store } = world;
  for (const path of ["/healthz", "/readyz", "/metrics"]) await world.get(path);
  await freshness(store.engine);
  await store.engine.size();
  await listOrganizations(store.engine);
  await listTokens(store.engine);
  await loadUsedLast(store, () => {});
  await readConsistently(store, SHAPE, async (at, reader) => {
    const reading = store.reading(at, reader);
    for (const scope of [
      {},
      { guests: true },
      { spaces: ["narrow"] },
      { sites: ["both"], role: "edit" },
    ] satisfies ReportScope[]) {
      let parts = 0;
      for await (const _ of reportRows(reading, scope)) if (++parts === 20) break;
    }
    await findingsOf(reader, SHAPE);
  });
}

const SPACE = {
  object: "space",
  createdAt: "2025-03-01T09:30:00.000Z",
  updatedAt: "2025-03-01T09:30:00.000Z",
} as const;

const HOUR = 60 * 60_000;

/** Signs a member in until a session ends another one, then unbinds the member. */
async function signInAll(store: World["store"], organization: string): Promise<void> {
  const account = { organization, issuer: "https://login.example", subject: "one" };
  const lifetimes = { idle: HOUR, longest: HOUR };
  const { engine } = store;
  await beginSession(store, account, { is: "email", value: "a@b.example" }, lifetimes, undefined);
  for (let times = 0; times < 11; times++) {
    await beginSession(store, account, { is: "id", value: "a" }, lifetimes, "rbs_old");
  }
  const session = (await listTokens(engine)).find(({ issuer }) => issuer !== undefined);
  if (session === undefined) throw new Error("Nobody was signed in.");
  await prolong(engine, session, { idle: 2 * HOUR, longest: 2 * HOUR });
  await listBindings(engine);
  await endSession(engine, "rbs_old");
  await unbind(engine, organization, "a");
}

/** Runs the commands that write, on a temporary organization. */
export async function changeAll(world: World): Promise<void> {
  const { store } = world;
  const organization = "brief";
  const records = (title: string, members: readonly string[]): SnapshotRecord[] => [
    { object: "organization", id: organization, title },
    ...members.flatMap((user): SnapshotRecord[] => [
      { object: "user", id: user, displayName: `Name of ${user}` },
      { object: "member", organization, user, role: "read" },
    ]),
    ...members.map((each): SnapshotRecord => ({ ...SPACE, id: each, organization, title: each })),
    { object: "team", id: "t", organization, title, createdAt: SPACE.createdAt },
    { object: "site", id: "s", organization, title },
    ...members.map((user): SnapshotRecord => ({ object: "teamMember", team: "t", user, role: "member" })),
    ...members.map((space): SnapshotRecord => ({
      object: "permission",
      space,
      team: "t",
      permission: "edit",
    })),
  ];
  await world.import(records("First", ["a", "b"]));
  for (const replace of [false, true]) {
    await createToken(store, { organization, name: "again", member: "a" }, replace);
  }
  const [token] = await listTokens(store.engine);
  await createToken(store, { organization, name: "another", member: "b" });
  await signInAll(store, organization);
  // Adds keys before and after others, some of them nearly equal.
  await applied(world, organization, [
    ...["A", "aa", "c"].flatMap((user) => [
      { object: "user", id: user, displayName: `Name of ${user}` },
      { object: "member", organization, user, role: "read" },
    ]),
    { ...SPACE, id: "A", organization, title: "A" },
    { object: "team", id: "T", organization, title: "New", createdAt: SPACE.createdAt },
    { object: "site", id: "S", organization, title: "New" },
    { object: "permission", site: "S", user: "c", permission: "read" },
  ]);
  // Brings back whom a change has removed.
  await removeMember(world, organization, "c");
  await world.import(records("More", ["A", "a", "aa", "b", "c"]));
  await world.import(records("Second", ["a"]));
  // The second import changes nothing.
  for (let times = 0; times < 2; times++) await world.import(records("Third", ["a"]));
  await readForward(world, organization);
  await store.models.forget(store.engine);
  await listOrganizations(store.engine);
  const used = new LastUsed(store.engine, (error) => {
    throw error;
  });
  used.note(token?.id ?? "");
  await used.close();
  const history = await lookBack(world, organization);
  // Imports delete what is older than the history.
  for (const title of ["Fourth", "Fifth"]) await world.import(records(title, ["a"]));
  await store.engine.importing(
    (staging) => changeHistory(store.engine, staging, history),
    () => {},
  );
  await rotateToken(store, token?.id ?? "", 0);
  await revokeToken(store.engine, token?.id ?? "");
  await countTokens(store.engine, organization);
  // The second call continues the first one.
  for (const _ of [1, 2]) await removeOrganization(store.engine, organization, () => {});
  await endRemoval(store.engine, organization);
}

/** Reads one revision after the other: what is in memory is held against the changes in between. */
async function readForward({ store }: World, organization: string): Promise<void> {
  const found = await store.registry.organization(organization);
  if (found === undefined) throw new Error("The organization is missing.");
  for (let revision = found.earliest; revision <= found.current.revision; revision++) {
    const at = await store.registry.past.byNumber(found, revision);
    if (at !== undefined) await modelOf(store.reading(at));
  }
}

/** Runs the commands about the past of an organization. Returns the previous length of the history, in milliseconds. */
async function lookBack({ store }: World, organization: string): Promise<number> {
  const { engine, registry } = store;
  for await (const _ of listRevisions(engine, organization));
  await revisionsUpTo(engine, organization, { time: "9999-12-31", below: 1e15, limit: 1 });
  const found = await registry.organization(organization);
  if (found === undefined) throw new Error("The organization is missing.");
  const { past } = registry;
  const earliest = await past.byNumber(found, found.earliest);
  await past.inForce(found, earliest?.importedAt ?? "");
  await forgetUser(engine, organization, "b", () => {});
  const history = await historyOf(engine);
  await keptOf(engine, new Set());
  await expiring(engine, 0);
  await engine.importing(
    async (staging) => {
      await changeHistory(engine, staging, 0);
      await prune(engine, staging);
      await sweep(staging, -1);
    },
    () => {},
  );
  return history;
}

/** Runs dry runs of change files with every kind of record, and with the guard over recent changes. */
export async function askChanges(world: World): Promise<void> {
  const organization = SHAPE;
  const all = { removed: true, with: "all" };
  const files: readonly (readonly object[])[] = [
    [
      { object: "user", id: user(0), displayName: "Somebody" },
      { object: "teamMember", team: "small", user: user(1), role: "owner" },
      { object: "permission", space: "narrow", user: user(0), permission: "read" },
      { object: "permission", space: "narrow", team: "large", permission: "read" },
      { object: "siteSpace", site: "both", space: "sparse" },
      // A content moves and opens.
      { object: "collection", id: "closed", organization, title: "Closed", parent: "open" },
      { object: "member", organization, user: user(2), ...all },
      { object: "team", id: "tiny", ...all },
      { object: "space", id: "marked", ...all },
    ],
    [{ object: "site", id: "both", ...all }],
    // An empty change file, which only confirms the state.
    [],
  ];
  for (const [index, records] of files.entries()) {
    const header = { object: "changes", organization, id: `asked ${index}` };
    const text = [header, ...records].map((record) => `${JSON.stringify(record)}\n`).join("");
    const change = await readChange(world.file(text, "changes.ndjson"), false, () => {});
    const options = { dryRun: records.length > 0, recent: new RecentChanges(3_600_000) };
    await applyChange(world.store.engine, change, options).catch((error: unknown) => {
      if (!(error instanceof RefusedChange)) throw error;
    });
  }
}
