/**
 * Random changes of three organizations with the same ids, while callers ask several servers for lists. Every answer is
 * judged by the history of the changes: it has the old or the new state, complete, and nothing of another organization.
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { expect } from "vitest";
import { removeOrganization } from "../../src/store/revisions/organizations.ts";
import { createToken, listTokens, revokeToken } from "../../src/store/tokens.ts";
import { organizationIds } from "../oracle/facts.ts";
import { namesOrganization } from "../oracle/listing.ts";
import { type Evolution, evolution, renamed } from "../oracle/random/evolve.ts";
import { organizations } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { drawUntil } from "../setup/seed.ts";
import { type Answer, PUBLIC_URL, type World } from "../world.ts";
import type { Deployment } from "./deployment.ts";
import { History, type Holder, type Span, type State } from "./history.ts";

/** Organizations whose records have the same ids, and their changes during requests. */
interface Scenario {
  readonly first: readonly (readonly SnapshotRecord[])[];
  readonly changes: readonly TenantChange[];
  /** The seed of the callers' choices. */
  readonly seed: number;
}

/** A change. A position is taken modulo the number of existing records. */
type TenantChange =
  | { readonly kind: "import"; readonly at: number; readonly evolve: Evolution }
  | { readonly kind: "remove"; readonly at: number }
  | {
      readonly kind: "token";
      readonly at: number;
      readonly member: number | undefined;
      readonly lifetime?: number;
    }
  | { readonly kind: "revoke"; readonly at: number };

const position = fc.nat({ max: 999 });

const tenantChange: fc.Arbitrary<TenantChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("import" as const), at: position, evolve: evolution }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: position }) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        kind: fc.constant("token" as const),
        at: position,
        member: fc.option(position, { nil: undefined, freq: 4 }),
        lifetime: fc.constantFrom(60, 250, 600),
      },
      { requiredKeys: ["kind", "at", "member"], noNullPrototype: true },
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("revoke" as const), at: position }) },
);

const SIZES = { minOrganizations: 1, maxOrganizations: 1, minMembers: 4, minContents: 3, minPermissions: 6 };

/** A text that occurs only in names and titles of this organization. */
function markOf(organization: string): string {
  return `<of ${organization}>`;
}

/** Adds the mark to every title and name of an organization. */
function marked(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const mark = markOf(organizationIds(records)[0] ?? "");
  const text = (old: string) => (old.endsWith(mark) ? old : `${old} ${mark}`);
  return records.map((record): SnapshotRecord => {
    if (record.object === "user") return { ...record, displayName: text(record.displayName) };
    return "title" in record ? { ...record, title: text(record.title) } : record;
  });
}

/** Random scenarios of three organizations. `changes` limits the number of changes. */
function scenarios(changes: { min: number; max: number }): fc.Arbitrary<Scenario> {
  return fc
    .record({
      first: organizations(SIZES),
      others: fc.tuple(evolution, evolution),
      changes: fc.array(tenantChange, { minLength: changes.min, maxLength: changes.max }),
      seed: fc.nat(),
    })
    .map(({ first, others: [second, third], changes, seed }) => {
      const neighbour = second(renamed(first));
      return { first: [first, neighbour, third(renamed(neighbour))].map(distinct), changes, seed };
    });
}

/** Gives the records an organization id that no other organization has. */
function distinct(records: readonly SnapshotRecord[], index: number): SnapshotRecord[] {
  const [old = ""] = organizationIds(records);
  const id = `tenant-${index}`;
  return records.map((record): SnapshotRecord => {
    if (record.object === "organization") return { ...record, id };
    return "organization" in record && record.organization === old ? { ...record, organization: id } : record;
  });
}

/** Runs random scenarios, each with new servers, until every status that is wanted was answered. Throws on the first wrong answer, with its seed. */
export async function runScenarios(
  open: () => Promise<Deployment>,
  runs: number,
  { callers, wanted = [] }: { readonly callers?: number; readonly wanted?: readonly number[] } = {},
): Promise<StatusCounts> {
  const total: StatusCounts = new Map();
  const scenario = scenarios({ min: 8, max: 16 });
  const property = fc.asyncProperty(scenario, async (each: Scenario) => {
    await using deployment = await open();
    for (const [status, count] of await runScenario(each, deployment, callers)) {
      total.set(status, (total.get(status) ?? 0) + count);
    }
  });
  // Failures depend on timing, so a smaller scenario would not fail in the same way.
  await drawUntil(
    () => wanted.every((status) => total.has(status)),
    async (seed) => {
      const options = { seed, numRuns: runs, endOnFailure: true };
      const { failed, counterexamplePath, errorInstance } = await fc.check(property, options);
      if (failed)
        throw new Error(`seed ${seed}, path ${counterexamplePath}: ${String(errorInstance)}`, {
          cause: errorInstance,
        });
    },
  );
  return total;
}

/** Sends a request to a server. */
export type Ask = (path: string, token: string, headers?: Record<string, string>) => Promise<Answer>;

/** The number of judged answers with each status. */
type StatusCounts = Map<number, number>;

function sum(counts: StatusCounts): number {
  return counts.values().reduce((all, count) => all + count, 0);
}

/** How many answers a caller gets between two changes, on average. */
const ANSWERS = 6;

/**
 * Runs a scenario: one actor changes organizations and tokens through `world`, while callers send requests to all
 * servers. Throws on the first answer that the history does not allow.
 */
async function runScenario(
  scenario: Scenario,
  { world, servers }: Deployment,
  callers = 3,
): Promise<StatusCounts> {
  const history = new History(PUBLIC_URL);
  const counts: StatusCounts = new Map();
  for (const records of scenario.first) {
    const own = marked(records);
    const [id = ""] = own.flatMap((record) => (record.object === "organization" ? record.id : []));
    await history.change(id, own, () => world.import(own));
    await makeToken(history, world, id, undefined);
    for (const member of history.current(id)?.members ?? []) await makeToken(history, world, id, member);
  }
  const stage = { over: false };
  const asking = Array.from({ length: callers }, (_, index) => {
    const server = servers[index % servers.length];
    if (server === undefined) throw new Error("no server");
    return call(history, server, randomFrom(scenario.seed + index), stage, counts);
  });
  // The first wrong answer ends the scenario.
  const watched = Promise.all(asking).catch((error: unknown) => {
    stage.over = true;
    throw error;
  });
  watched.catch(() => {});
  /** Waits until every caller may have asked several times after the last change. */
  const answersSince = async () => {
    const enough = sum(counts) + ANSWERS * callers;
    await expect.poll(() => stage.over || sum(counts) >= enough, { interval: 2 }).toBe(true);
  };
  for (const change of scenario.changes) {
    if (stage.over) break;
    await perform(history, world, change);
    await answersSince();
  }
  stage.over = true;
  await watched;
  return counts;
}

async function makeToken(
  history: History,
  world: World,
  organization: string,
  member: string | undefined,
  lifetime?: number,
): Promise<void> {
  const name = `token ${history.holders.length}`;
  // Taken before the token is created, because the token lives for `lifetime` from its creation.
  const before = Date.now();
  const token = await createToken(world.store, { organization, member, name, lifetime });
  const made = (await listTokens(world.store.engine)).find((each) => each.name === name);
  if (made === undefined) throw new Error("the token is not there");
  const expiresAt = made.expiresAt === undefined ? undefined : Date.parse(made.expiresAt);
  if (expiresAt !== undefined && expiresAt < before + (lifetime ?? 0))
    throw new Error("it expires too early");
  history.holders.push({ token, id: made.id, organization, member, expiresAt });
}

async function perform(history: History, world: World, change: TenantChange): Promise<void> {
  const there = history.organizations.filter((id) => history.current(id) !== undefined);
  const id = there[change.at % there.length];
  const state = id === undefined ? undefined : history.current(id);
  if (id === undefined || state === undefined) return;
  switch (change.kind) {
    case "import": {
      const records = marked(change.evolve(state.records));
      return history.change(id, records, () => world.import(records));
    }
    case "remove": {
      await history.change(id, undefined, () => removeOrganization(world.store.engine, id, () => {}));
      return history.change(id, state.records, () => world.import(state.records));
    }
    case "token": {
      const members = [...state.members];
      const member = change.member === undefined ? undefined : members[change.member % members.length];
      return makeToken(history, world, id, member, change.lifetime);
    }
    case "revoke": {
      const alive = history.holders.filter(
        (holder) => holder.gone === undefined && holder.expiresAt === undefined,
      );
      const holder = alive[change.at % alive.length];
      if (holder !== undefined)
        await history.revoke(holder, () => revokeToken(world.store.engine, holder.id));
    }
  }
}

/** A request, and the state of the organization when the request was drawn. */
interface Question {
  readonly holder: Holder;
  readonly other: State;
  readonly listing: State["listings"][number];
}

/** Sends requests until the scenario ends. */
async function call(
  history: History,
  ask: Ask,
  random: () => number,
  stage: { over: boolean },
  counts: StatusCounts,
): Promise<void> {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const tags: string[] = ['"none"'];
  const asked: Question[] = [];
  /** A list that the caller has received, which is requested again at once. */
  let again: { readonly question: Question; readonly tag: string } | undefined;
  const draw = (): Question | undefined => {
    // Recent tokens are drawn more often, because they are revoked during the scenario.
    const holder = random() < 0.5 ? pick(history.holders) : pick(history.holders.slice(-8));
    const state = holder === undefined ? undefined : history.current(holder.organization);
    const other = random() < 0.15 ? history.current(pick(history.organizations) ?? "") : state;
    const listing = other === undefined ? undefined : pick(other.listings);
    return holder && other && listing && { holder, other, listing };
  };
  while (!stage.over) {
    // Recent requests are repeated often, because a server may have cached their answers.
    const question = again?.question ?? (random() < 0.5 ? pick(asked.slice(-50)) : undefined) ?? draw();
    if (question === undefined) {
      await sleep(1);
      continue;
    }
    asked.push(question);
    const { holder, other, listing } = question;
    const path = other.oracle.path(other.organization, listing);
    const tag = again?.tag ?? (random() < 0.2 ? pick(tags) : undefined);
    const request: Span = { from: history.now, to: 0 };
    const clock: Span = { from: Date.now(), to: 0 };
    const limited = `${path}${path.includes("?") ? "&" : "?"}limit=1000`;
    const answer = await ask(limited, holder.token, tag === undefined ? {} : { "if-none-match": tag });
    request.to = history.now;
    clock.to = Date.now();
    const { etag } = answer.headers;
    if (typeof etag === "string") tags.push(etag);
    again = typeof etag === "string" && random() < 0.3 ? { question, tag: etag } : undefined;
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    const fault = faultOf(history, holder, answer, request, clock, (state) =>
      allowedIn(state, holder, other, listing),
    );
    if (fault !== undefined) {
      throw new Error(
        `${fault}: ${limited} by ${holder.member ?? "the token"} of ${holder.organization}: ${answer.status} ${answer.body.slice(0, 400)}`,
      );
    }
    // Without this pause, requests to an app in this process would leave the actor no time.
    await sleep(0);
  }
}

interface Allowed {
  readonly status: number;
  readonly items?: string;
}

type Asked = Parameters<State["oracle"]["list"]>[1];

/** The expected answer for a listing if the organization is in `state`. */
function allowedIn(state: State, holder: Holder, named: State, listing: Asked): Allowed {
  const isElsewhere = namesOrganization(listing) && named.organization !== holder.organization;
  if (isElsewhere && listing.endpoint <= 13) return { status: 404 };
  if (holder.member !== undefined && !state.members.has(holder.member)) return { status: 401 };
  const caller =
    holder.member === undefined
      ? { kind: "organization" as const }
      : { kind: "member" as const, user: holder.member };
  if (isElsewhere) return { status: state.oracle.mayElsewhere(state.organization, caller, listing) };
  const status = state.oracle.may(state.organization, caller, listing);
  return status === 200
    ? { status, items: canonical(state.oracle.list(state.organization, listing)) }
    : { status };
}

function faultOf(
  history: History,
  holder: Holder,
  { status, headers, body }: Answer,
  request: Span,
  clock: Span,
  allowed: (state: State) => Allowed,
): string | undefined {
  const whole = JSON.stringify(headers) + body;
  for (const organization of history.organizations) {
    const mark = markOf(organization);
    if (
      organization !== holder.organization &&
      (whole.includes(mark) || whole.includes(JSON.stringify(mark).slice(1, -1)))
    ) {
      return `something of ${organization} is shown`;
    }
  }
  const { good, dead } = history.validity(holder, request, clock);
  if (status === 401) return dead ? undefined : "a good token is refused";
  if (!good) return "a dead token is taken";
  const states = history.during(holder.organization, request);
  // The token and the organization may be removed between the two checks.
  if (dead && status === 404) return undefined;
  const answers = states.flatMap((state) => (state === undefined ? [] : [allowed(state)]));
  if (status === 304)
    return answers.some((each) => each.status === 200) ? undefined : "a 304 for who may not see it";
  const same = answers.filter((each) => each.status === status);
  if (same.length === 0) return `not one of ${answers.map((each) => each.status).join(", ")}`;
  if (status !== 200) return undefined;
  const { items }: { items: unknown } = JSON.parse(body);
  return same.some((each) => each.items === canonical(items)) ? undefined : "a list that no state has";
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Draws numbers from 0 up to 1; the same seed gives the same numbers. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
