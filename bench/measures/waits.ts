/** What holds others up: every kind of request, asked for the first time, and how long the smallest request waits beside it. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { coverOf } from "../../src/domain/scope.ts";
import type { Landmarks } from "../data.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { type Bench, largest } from "../harness/bench.ts";
import { modelIn, open } from "../harness/database.ts";
import { type Knocking, knock } from "../harness/knock.ts";
import { changes, growing } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { MAIN, rolebook, serve } from "../harness/rolebook.ts";
import type { Server } from "../harness/server.ts";
import { copied, type World } from "../harness/world.ts";

/** The number of changes between the past and now, and of records in each. */
const CHANGES = 30;
const RECORDS = 200;
/** An answer is read for this long at most, in milliseconds: some files take minutes. */
const LONGEST = 10_000;

const MB = 2 ** 20;

interface Asked {
  readonly path: string;
  /** Sent by POST. */
  readonly body?: string;
}

export async function waits(bench: Bench, put: Put): Promise<void> {
  using world = copied(largest(bench), "waits");
  const revisions = await changed(world);
  const server = await serve(world, { log: bench.log, env: { BENCH_TURNS: "1" } });
  const knocking = knock(server.url);
  try {
    for (const [name, path] of Object.entries(kinds(world, revisions))) {
      await measured(name, { path });
    }
    const report = await ask(server, world.token, {
      path: `/explorer/report?space=${world.marks.ordinaryClosedSpace}&revision=${revisions.earliest}`,
    });
    const body = JSON.stringify({ report: decided(report), by: "Bench" });
    for (const answer of ["preview", "changes", "outcomes", "sign-off"]) {
      await measured(`review of a decided report: ${answer}`, {
        path: `/explorer/review?answer=${answer}`,
        body,
      });
    }
    const all = "all of these requests";
    put(world.size, all, "memory after them, MB", (await server.sample()).rss / MB);
    put(world.size, all, "memory while the model is replaced, MB", await replacing(server, world));
  } finally {
    await knocking.stop();
    await server.stop();
  }

  async function measured(name: string, asked: Asked): Promise<void> {
    const { cpu, wait, turn } = await beside(server, knocking, () => ask(server, world.token, asked));
    put(world.size, name, "CPU ms", cpu);
    put(world.size, name, "another waits, ms", wait);
    put(world.size, name, "longest turn in CPU ms", turn);
  }
}

/** The paths by the name of the kind of request. */
function kinds({ marks, revision: earliest }: World, { latest, since }: Revisions): Record<string, string> {
  const v1 = `/v1/orgs/${ORGANIZATION}`;
  const half = encodeURIComponent(`user/${marks.halfGuest}@collection/${marks.halfCollection}`);
  const team = encodeURIComponent(`team/${marks.everyoneTeam}`);
  const between = `earlier=${earliest}&later=${latest}`;
  const [open, closed] = [marks.ordinaryOpenSpace, marks.ordinaryClosedSpace];
  const explorer = {
    "the caller": "me",
    "the overview": "overview",
    "the tree": "tree",
    "the tree, in half of the content": `tree?parent=${marks.halfCollection}`,
    "a search": "search?q=anna",
    "a search of members with their roles": `search?q=anna&kind=member&site=${marks.openSite}`,
    "the recorded rules": "rules",
    "the revisions": "revisions",
    "role counts, open space": `counts?space=${open}`,
    "role counts, space with every team": `counts?space=${marks.manyTeamsSpace}`,
    "role counts, site of many open spaces": `counts?site=${marks.openSite}`,
    "role counts, member with permissions on a tenth": `counts?member=${marks.heavyMember}`,
    "people on a space": `access?space=${closed}`,
    "people on a space by name": `access?space=${closed}&sort=name`,
    "direct permissions of an open space": `access?space=${open}&reason=direct`,
    "people on a space through a team": `access?space=${open}&through=${marks.everyoneTeam}`,
    "guests of the space with every team": `access?space=${marks.manyTeamsSpace}&guests=only`,
    "people called Anna on a site": `access?site=${marks.openSite}&q=anna`,
    "rows far below, site of many open spaces": `access?site=${marks.openSite}&from=400000`,
    "people who came to a space since then": `access?space=${open}&since=${since}`,
    "people given a role on a fifth": `access?space=${marks.directSpace}&tab=people`,
    "people given a role on a fifth, called Anna": `access?space=${marks.directSpace}&tab=people&q=anna`,
    "teams on the space with every team": `access?space=${marks.manyTeamsSpace}&tab=teams`,
    "contents of half of everything": `access?collection=${marks.halfCollection}&tab=contents`,
    "contents of half of everything, called guide": `access?collection=${marks.halfCollection}&tab=contents&q=guide`,
    "spaces of a site": `access?site=${marks.openSite}&tab=spaces`,
    "spaces of a member, strongest first": `access?member=${marks.heavyMember}&sort=strongest`,
    "spaces of a member, called guide": `access?member=${marks.ordinaryMember}&q=guide`,
    "spaces of a guest, by name": `access?member=${marks.guest}&sort=name`,
    "spaces of a member through a team": `access?member=${marks.ordinaryMember}&reason=team`,
    "members of the largest team, called Anna": `access?team=${marks.everyoneTeam}&tab=members&q=anna`,
    "permissions of the largest team": `access?team=${marks.everyoneTeam}&tab=permissions`,
    "what the largest team opens": `access?team=${marks.everyoneTeam}&tab=reach`,
    "guests of the organization": "access?list=members&guests=only",
    "teams by name": "access?list=teams&sort=name",
    "closed contents": "access?list=contents&show=closed",
    "everything called Anna": "access?list=found&q=anna",
    "why a member has access": `why?space=${open}&user=${marks.ordinaryMember}`,
    "without a permission on half of the spaces": `without?without=${half}`,
    "people who would lose access by it": `access?list=pairs&without=${half}`,
    "contents that it concerns": `access?list=contents&without=${half}`,
    "without the largest team": `without?without=${team}`,
    "contents that it concerns, the largest team": `access?list=contents&without=${team}`,
    "without the largest team, one space": `access?space=${open}&tab=without&without=${team}`,
    "the members of a team on a space": `access?space=${marks.manyTeamsSpace}&tab=within&within=${marks.everyoneTeam}`,
    "two members compared": `access?member=${marks.ordinaryMember}&tab=compare&with=${marks.heavyMember}`,
    "two members compared on a site": `access?site=${marks.openSite}&tab=compare&user=${marks.ordinaryMember}&with=${marks.heavyMember}`,
    "first rows, 30 changes ago": `access?space=${closed}&revision=${earliest}`,
    "changes of a space": `changes?space=${open}`,
    "changes of a member": `changes?member=${marks.ordinaryMember}`,
    "who gained and lost since then": `since?earlier=${earliest}`,
    "who gained and lost on a space since then": `since?earlier=${earliest}&space=${open}`,
    "what differs on a space": `access?space=${open}&tab=changes&${between}`,
    "what differs for a member": `access?member=${marks.heavyMember}&tab=changes&${between}`,
    "what differs because of a team": `access?team=${marks.everyoneTeam}&tab=changes&${between}`,
    "all that differs since then": `access?list=changes&${between}`,
    "all that differs, called Anna": `access?list=changes&${between}&q=anna`,
    "file of all members": "csv?list=members",
    "file of an open space": `csv?space=${open}`,
    "file of a site of many spaces": `csv?site=${marks.openSite}`,
    "file of an admin's spaces": `csv?member=${marks.admin}`,
    "file of the teams of a space": `csv?space=${marks.manyTeamsSpace}&tab=teams`,
    "report of a space": `report?space=${closed}`,
    "outcomes of a report": `outcomes?earlier=${earliest}&covers=${encodeURIComponent(coverOf({ spaces: [closed] }).join(", "))}`,
    "what can be tidied up": "tidy",
  };
  const breaches = rulesOf(marks).map(({ rule }): [string, string] => [
    `breaches of a rule: ${rule}`,
    `breaches?rule=${encodeURIComponent(rule)}`,
  ]);
  return {
    "a probe, alone": "/healthz",
    "1, people given a role on a fifth": `/v1/spaces/${marks.directSpace}/permissions/users`,
    "2, teams of the space with every team": `/v1/spaces/${marks.manyTeamsSpace}/permissions/teams?limit=1000`,
    "3, an open space": `/v1/spaces/${open}/permissions/aggregate`,
    "3, the closed space with every team": `/v1/spaces/${marks.manyTeamsSpace}/permissions/aggregate?limit=1000`,
    "3, a rare role": `/v1/spaces/${marks.sparse.space}/permissions/aggregate?role=edit`,
    "4, a collection": `/v1/collections/${marks.halfCollection}/permissions/teams`,
    "5, a collection": `/v1/collections/${marks.halfCollection}/permissions/users`,
    "6, the collection over half of the spaces": `/v1/collections/${marks.halfCollection}/permissions/aggregate`,
    "7, the member with permissions on a tenth": `${v1}/members/${marks.heavyMember}/spaces?limit=1000`,
    "7, a guest": `${v1}/members/${marks.guest}/spaces`,
    "8, a site of many open spaces": `${v1}/sites/${marks.openSite}/permissions/aggregate`,
    "8, a site of many closed spaces": `${v1}/sites/${marks.closedSite}/permissions/aggregate`,
    "8, a site of guests": `${v1}/sites/${marks.guestSite}/permissions/aggregate`,
    "9, a member": `${v1}/members/${marks.ordinaryMember}/teams`,
    "9, a member, by title": `${v1}/members/${marks.ordinaryMember}/teams?title=a`,
    "10, all members": `${v1}/members?limit=1000`,
    "11, all teams": `${v1}/teams?limit=1000`,
    "12, all spaces": `${v1}/spaces?limit=1000`,
    "13, all collections": `${v1}/collections?nested=true&limit=1000`,
    "3, in the past": `/at/${earliest}/v1/spaces/${open}/permissions/aggregate`,
    "7, in the past": `/at/${earliest}${v1}/members/${marks.ordinaryMember}/spaces`,
    "the export": "/export",
    "the metrics": "/metrics",
    "the reference": "/openapi.json",
    ...Object.fromEntries(
      [...Object.entries(explorer), ...breaches].map(([name, path]) => [name, `/explorer/${path}`]),
    ),
  };
}

/**
 * Forgets a person who has left, so that the organization is loaded anew. Returns the most memory of the server until it
 * answers from what it loaded, in MB.
 */
async function replacing(server: Server, world: World): Promise<number> {
  const user = world.marks.ordinaryMember;
  const leaves = { object: "member", organization: ORGANIZATION, user, removed: true, with: "all" };
  const lines = [{ object: "changes", organization: ORGANIZATION }, leaves];
  {
    await using database = await open(world);
    await database.apply(lines.map((line) => JSON.stringify(line)).join("\n"));
  }
  const [page, of] = [`/v1/spaces/${world.marks.ordinaryOpenSpace}/permissions/aggregate`, "--organization"];
  await ask(server, world.token, { path: page });
  const loads = await loadsOf(server, world.token);
  await rolebook("organization", "forget-user", "--database", world.url, of, ORGANIZATION, user);
  const state = { isOver: false, most: 0 };
  const over = ask(server, world.token, { path: `${page}?limit=51` }).finally(() => (state.isOver = true));
  while (!state.isOver) {
    state.most = Math.max(state.most, (await server.sample()).rss / MB);
    await sleep(10);
  }
  await over;
  const again = (await loadsOf(server, world.token)) - loads;
  if (!(again > 0)) throw new Error("the organization was not loaded anew");
  return state.most;
}

/** How often a server has loaded an organization. */
async function loadsOf(server: Server, token: string): Promise<number> {
  const metrics = await ask(server, token, { path: "/metrics" });
  return Number(/^rolebook_model_loads_total (\d+)$/m.exec(metrics)?.[1]);
}

interface Revisions {
  readonly earliest: number;
  readonly latest: number;
  /** A time between the two. */
  readonly since: string;
}

/** Applies {@link CHANGES}, and records the results of {@link rulesOf}. */
async function changed(world: World): Promise<Revisions> {
  const { url, path, marks, revision: earliest } = world;
  const since = new Date().toISOString();
  const source = growing(await modelIn(world));
  let latest = earliest;
  {
    await using database = await open(world);
    for (let change = 0; change < CHANGES; change++)
      latest = (await database.apply(changes(source, RECORDS))) ?? latest;
  }
  const file = `${path}.rules.json`;
  writeFileSync(file, JSON.stringify({ rules: rulesOf(marks) }));
  // A broken rule ends the command with status 1.
  spawnSync(process.execPath, [MAIN, "check", "--record", "--database", url, file]);
  rmSync(file);
  return { earliest, latest, since };
}

/** Recorded before: the page asks for the breaches of recorded rules. */
function rulesOf({ openSite, ordinaryOpenSpace }: Landmarks): { rule: string; [field: string]: unknown }[] {
  return [
    {
      rule: "no guest may edit",
      who: "guests",
      what: { space: ordinaryOpenSpace },
      how: "none",
      from: "edit",
    },
    { rule: "few may create", what: { site: openSite }, how: { "at most": 1000 }, from: "create" },
  ];
}

/** Sends one request, and reads its answer until its end, or for {@link LONGEST}. Throws unless the answer is a 200. */
async function ask({ url }: Server, token: string, { path, body }: Asked): Promise<string> {
  const response = await fetch(url + path, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { method: "POST", body }),
  });
  const until = performance.now() + LONGEST;
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) {
    parts.push(part);
    if (performance.now() > until) break;
  }
  const text = Buffer.concat(parts).toString();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** Every tenth row of a report is to be removed. */
function decided(report: string): string {
  let row = 0;
  return report.replaceAll(/,,\r\n/g, () => (row++ % 10 === 0 ? ",remove,\r\n" : ",keep,\r\n"));
}

/** Runs `work`. Returns the server's CPU, the longest wait of the probes meanwhile, and the longest turn, in ms. */
async function beside(
  server: Server,
  knocking: Knocking,
  work: () => Promise<unknown>,
): Promise<{ cpu: number; wait: number; turn: number }> {
  await knocking.longest();
  const before = (await server.sample()).processCpu;
  await work();
  const { processCpu, longestTurn } = await server.sample();
  return { cpu: (processCpu - before) / 1000, wait: await knocking.longest(), turn: longestTurn / 1000 };
}
