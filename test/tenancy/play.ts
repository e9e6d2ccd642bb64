import { setTimeout as sleep } from "node:timers/promises";
import { removeOrganization } from "../../src/store/revisions/organizations.ts";
import { createToken, listTokens, revokeToken } from "../../src/store/tokens.ts";
import type { Answer, World } from "../world.ts";
import { Chronicle, type Holder, type Span, type State } from "./chronicle.ts";
import { type Deed, marked, markOf, type Scene } from "./scene.ts";

/** Sends a request to a server. */
export type Ask = (path: string, token: string, headers?: Record<string, string>) => Promise<Answer>;

/** The number of judged answers with each status. */
export type StatusCounts = Map<number, number>;

/**
 * Plays a scene: one actor changes organizations and tokens through `world`, while callers send requests to all
 * servers. Throws on the first answer that the chronicle does not allow.
 */
export async function play(
  scene: Scene,
  world: World,
  servers: readonly Ask[],
  publicUrl: string,
  callers = 3,
): Promise<StatusCounts> {
  const chronicle = new Chronicle(publicUrl);
  const counts: StatusCounts = new Map();
  for (const records of scene.first) {
    const own = marked(records);
    const [id = ""] = own.flatMap((record) => (record.object === "organization" ? record.id : []));
    await chronicle.change(id, own, () => world.import(own));
    await makeToken(chronicle, world, id, undefined);
    for (const member of chronicle.current(id)?.members ?? []) await makeToken(chronicle, world, id, member);
  }
  const stage = { over: false };
  const asking = Array.from({ length: callers }, (_, index) => {
    const server = servers[index % servers.length];
    if (server === undefined) throw new Error("no server");
    return call(chronicle, server, randomFrom(scene.seed + index), stage, counts);
  });
  // The first wrong answer ends the scene.
  const watched = Promise.all(asking).catch((error: unknown) => {
    stage.over = true;
    throw error;
  });
  watched.catch(() => {});
  for (const deed of scene.deeds) {
    if (stage.over) break;
    await perform(chronicle, world, deed);
    await sleep(25);
  }
  await sleep(30);
  stage.over = true;
  await watched;
  return counts;
}

async function makeToken(
  chronicle: Chronicle,
  world: World,
  organization: string,
  member: string | undefined,
  lifetime?: number,
): Promise<void> {
  const name = `token ${chronicle.holders.length}`;
  // Taken before the token is created, because the token lives for `lifetime` from its creation.
  const before = Date.now();
  const token = await createToken(world.store, { organization, member, name, lifetime });
  const made = (await listTokens(world.store.engine)).find((each) => each.name === name);
  if (made === undefined) throw new Error("the token is not there");
  const expiresAt = made.expiresAt === undefined ? undefined : Date.parse(made.expiresAt);
  if (expiresAt !== undefined && expiresAt < before + (lifetime ?? 0))
    throw new Error("it expires too early");
  chronicle.holders.push({ token, id: made.id, organization, member, expiresAt });
}

async function perform(chronicle: Chronicle, world: World, deed: Deed): Promise<void> {
  const there = chronicle.organizations.filter((id) => chronicle.current(id) !== undefined);
  const id = there[deed.at % there.length];
  const state = id === undefined ? undefined : chronicle.current(id);
  if (id === undefined || state === undefined) return;
  switch (deed.kind) {
    case "import": {
      const records = marked(deed.evolve(state.records));
      return chronicle.change(id, records, () => world.import(records));
    }
    case "remove": {
      await chronicle.change(id, undefined, () => removeOrganization(world.store.engine, id, () => {}));
      return chronicle.change(id, state.records, () => world.import(state.records));
    }
    case "token": {
      const members = [...state.members];
      const member = deed.member === undefined ? undefined : members[deed.member % members.length];
      return makeToken(chronicle, world, id, member, deed.lifetime);
    }
    case "revoke": {
      const alive = chronicle.holders.filter(
        (holder) => holder.gone === undefined && holder.expiresAt === undefined,
      );
      const holder = alive[deed.at % alive.length];
      if (holder !== undefined)
        await chronicle.revoke(holder, () => revokeToken(world.store.engine, holder.id));
    }
  }
}

/** A request, and the state of the organization when the request was drawn. */
interface Question {
  readonly holder: Holder;
  readonly other: State;
  readonly listing: State["listings"][number];
}

/** Sends requests until the scene ends. */
async function call(
  chronicle: Chronicle,
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
    // Recent tokens are drawn more often, because they are revoked during the scene.
    const holder = random() < 0.5 ? pick(chronicle.holders) : pick(chronicle.holders.slice(-8));
    const state = holder === undefined ? undefined : chronicle.current(holder.organization);
    const other = random() < 0.15 ? chronicle.current(pick(chronicle.organizations) ?? "") : state;
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
    const request: Span = { from: chronicle.now, to: 0 };
    const clock: Span = { from: Date.now(), to: 0 };
    const limited = `${path}${path.includes("?") ? "&" : "?"}limit=1000`;
    const answer = await ask(limited, holder.token, tag === undefined ? {} : { "if-none-match": tag });
    request.to = chronicle.now;
    clock.to = Date.now();
    const { etag } = answer.headers;
    if (typeof etag === "string") tags.push(etag);
    again = typeof etag === "string" && random() < 0.3 ? { question, tag: etag } : undefined;
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    const fault = faultOf(chronicle, holder, answer, request, clock, (state) =>
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
  if (listing.endpoint >= 7 && named.organization !== holder.organization) return { status: 404 };
  if (holder.member !== undefined && !state.members.has(holder.member)) return { status: 401 };
  const caller =
    holder.member === undefined
      ? { kind: "organization" as const }
      : { kind: "member" as const, user: holder.member };
  const status = state.oracle.may(state.organization, caller, listing);
  return status === 200
    ? { status, items: canonical(state.oracle.list(state.organization, listing)) }
    : { status };
}

function faultOf(
  chronicle: Chronicle,
  holder: Holder,
  { status, headers, body }: Answer,
  request: Span,
  clock: Span,
  allowed: (state: State) => Allowed,
): string | undefined {
  const whole = JSON.stringify(headers) + body;
  for (const organization of chronicle.organizations) {
    const mark = markOf(organization);
    if (
      organization !== holder.organization &&
      (whole.includes(mark) || whole.includes(JSON.stringify(mark).slice(1, -1)))
    ) {
      return `something of ${organization} is shown`;
    }
  }
  const { good, dead } = chronicle.validity(holder, request, clock);
  if (status === 401) return dead ? undefined : "a good token is refused";
  if (!good) return "a dead token is taken";
  const states = chronicle.during(holder.organization, request);
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
