/** Pages of very many small organizations in turn, beside the same pages of one of them. */
import { createWriteStream, rmSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openEngine } from "../../src/store/engine/open.ts";
import { insertToken } from "../../src/store/tokens.ts";
import type { Bench } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import type { Server } from "../harness/server.ts";
import { importInto, removeDatabase } from "../harness/world.ts";

const ORGANIZATIONS = 5_000;
const MEMBERS = 200;
const SPACES = 200;

export async function tenants(bench: Bench, put: Put): Promise<void> {
  const path = join(bench.folder, "tenants.db");
  const file = join(bench.folder, "tenants.ndjson");
  removeDatabase(path);
  await pipeline(organizations, createWriteStream(file));
  await importInto(path, file);
  const url = `sqlite:${path}`;
  const tokens = await tokensOf(url);
  const server = await serve({ url }, { log: bench.log });
  try {
    // V8 compiles meanwhile.
    await cpuOf(server, tokens, () => 0, 1);
    const one = await cpuOf(server, tokens, () => 0, 0);
    const found: number[] = [];
    for (const [round, name] of ["for the first time", "again, other pages"].entries()) {
      const cpu = await cpuOf(server, tokens, (page) => page, round);
      found.push(cpu);
      put("S", `organizations in turn, ${name}`, "CPU µs a page", cpu);
      put("S", `organizations in turn, ${name}`, "CPU, × one organization's", cpu / one);
    }
    const [first = 0, again = 0] = found;
    put("S", "organizations in turn", "a load, CPU ms", (first - again) / 1000);
    put("S", "organizations in turn", "memory, MB", (await server.sample()).rss / 2 ** 20);
  } finally {
    await server.stop();
    removeDatabase(path);
    rmSync(file);
  }
}

/** The CPU of a page of each number, of the organization that `of` gives it, in microseconds. */
async function cpuOf(
  server: Server,
  tokens: readonly string[],
  of: (page: number) => number,
  round: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const before = await server.sample();
  for (let page = 0; page < ORGANIZATIONS; page++) {
    const number = of(page);
    // Every page of one organization is another.
    const limit = 1 + round + Math.floor(page / SPACES);
    const path = `/v1/spaces/o${number}-${page % SPACES}/permissions/aggregate?limit=${limit}`;
    await ask(new URL(path, server.url), tokens[number] ?? "", agent);
  }
  agent.destroy();
  return ((await server.sample()).mainCpu - before.mainCpu) / ORGANIZATIONS;
}

/** The lines of a snapshot file with all organizations, one organization at a time. */
function* organizations(): Generator<string> {
  for (let number = 0; number < ORGANIZATIONS; number++) {
    const organization = `o${number}`;
    const records: object[] = [{ object: "organization", id: organization, title: organization }];
    for (let member = 0; member < MEMBERS; member++) {
      const user = `${organization}-${member}`;
      records.push({
        object: "user",
        id: user,
        displayName: `Member ${member}`,
        email: `${user}@bench.example`,
      });
      records.push({ object: "member", organization, user, role: member === 0 ? "admin" : "read" });
    }
    for (let space = 0; space < SPACES; space++) {
      const date = new Date(Date.UTC(2026, 0, 1, space)).toISOString();
      const id = `${organization}-${space}`;
      records.push({ object: "space", id, organization, title: id, createdAt: date, updatedAt: date });
    }
    yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}

async function tokensOf(url: string): Promise<string[]> {
  const engine = await openEngine(url);
  try {
    return await engine.transaction(async (connection) => {
      const tokens: string[] = [];
      for (let number = 0; number < ORGANIZATIONS; number++) {
        const made = await insertToken(connection, "rb", { organization: `o${number}`, name: "bench" });
        tokens.push(made.token);
      }
      return tokens;
    });
  } finally {
    await engine.close();
  }
}
