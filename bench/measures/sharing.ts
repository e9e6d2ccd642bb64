/** How long another caller waits beside one that takes all that callers share: its 99th percentile, alone and beside. */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { ORGANIZATION } from "../data/identity.ts";
import { type Bench, largest } from "../harness/bench.ts";
import type { Put } from "../harness/result.ts";
import { rolebook, serve } from "../harness/rolebook.ts";
import type { Server } from "../harness/server.ts";
import { percentile } from "../harness/spread.ts";

const CONNECTIONS = 200;
/** The requests of the other caller while it is measured, and the pause between two of them, in milliseconds. */
const ASKED = 200;
const PAUSE = 10;
/** How long the greedy caller has before the other one asks, in milliseconds. */
const LEAD = 3_000;
/** How often each connection asks that reads no answer. */
const PIPELINED = 40;

interface Attack {
  readonly port: number;
  readonly request: string;
  readonly isRead: boolean;
}

export async function sharing(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const { ordinaryOpenSpace: space } = world.marks;
  const list = `/v1/spaces/${space}/permissions/aggregate`;
  const other = await rolebook("token", "create", "--database", world.url, "--organization", ORGANIZATION);
  const attacks = {
    "long lists of the explorer": { path: "/explorer/tree?limit=1000", isRead: true },
    "answers that nobody reads": { path: `${list}?limit=1000`, isRead: false },
  };
  for (const [name, { path, isRead }] of Object.entries(attacks)) {
    const server = await serve(world, { log: bench.log });
    const ask = asking(server.url, other, ["/explorer/tree", `${list}?limit=50`, "/explorer/overview"]);
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.token}\r\n\r\n`;
    const attack: Attack = { port: Number(new URL(server.url).port), request, isRead };
    const [alone, beside]: [P99[], P99[]] = [[], []];
    try {
      await p99(server, ask);
      for (let round = 0; round < bench.rounds; round++) {
        alone.push(await p99(server, ask));
        const worker = new Worker(new URL(import.meta.url), { workerData: attack });
        await sleep(LEAD);
        beside.push(await p99(server, ask));
        await worker.terminate();
        await sleep(LEAD);
      }
    } finally {
      await server.stop();
    }
    for (const what of ["ms", "CPU ms"] as const) {
      const [one, two] = [alone, beside].map((each) => each.map((found) => found[what]));
      put(world.size, name, `p99 alone, ${what}`, one ?? []);
      put(world.size, name, `p99 beside, ${what}`, two ?? []);
      put(
        world.size,
        name,
        `p99 beside, ${what} more`,
        two?.map((each, round) => each - (one?.[round] ?? 0)) ?? [],
      );
    }
  }
}

/** By the clock, and in CPU that the server's main thread used while the other caller waited. */
type P99 = Readonly<Record<"ms" | "CPU ms", number>>;

/** Sends the paths in turn, one request after the other. Throws if one is refused. */
function asking(url: string, token: string, paths: readonly string[]): () => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let asked = 0;
  return () =>
    new Promise((resolve, reject) => {
      const path = paths[asked++ % paths.length] ?? "";
      get(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
        answer.resume().once("end", resolve);
      }).once("error", reject);
    });
}

async function p99({ pid }: Server, ask: () => Promise<void>): Promise<P99> {
  const [clock, cpu]: [number[], number[]] = [[], []];
  for (let count = 0; count < ASKED; count++) {
    const [begin, used] = [performance.now(), cpuOf(pid)];
    await ask();
    clock.push(performance.now() - begin);
    cpu.push(cpuOf(pid) - used);
    await sleep(PAUSE);
  }
  return { ms: percentile(clock, 99), "CPU ms": percentile(cpu, 99) };
}

/** The CPU of a process's main thread, in milliseconds. */
function cpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

if (!isMainThread) {
  const { port, request, isRead }: Attack = workerData;
  for (let index = 0; index < CONNECTIONS; index++) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    if (!isRead) {
      socket.pause().write(request.repeat(PIPELINED));
      continue;
    }
    let rest = 0;
    socket.on("data", (data) => {
      const begin = rest === 0 ? data.indexOf("\r\n\r\n") + 4 : 0;
      if (rest === 0) rest = Number(/content-length: (\d+)/i.exec(data.toString("latin1"))?.[1]);
      rest -= data.length - begin;
      if (rest === 0) socket.write(request);
    });
    socket.write(request);
  }
}
