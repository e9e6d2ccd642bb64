import { spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, QueryResultRow } from "pg";
import { inject } from "vitest";
import { textOf } from "../examples/acme.ts";
import { postgresPlaces } from "../postgres/place.ts";
import { until } from "../setup/until.ts";
import { runAt } from "./operated.ts";

export const COORDINATOR = inject("citus");

/** The statements of docs/scale.md that distribute the tables, each with the table's name. */
export const DISTRIBUTE = [
  ...textOf("docs/scale.md").matchAll(/^SELECT create_distributed_table\('(\w+)'.*\);$/gm),
];

const distribute = (client: Client) => client.query(DISTRIBUTE.map(([statement]) => statement).join("\n"));

/** Databases on the cluster, with their tables distributed as docs/scale.md says. */
export const citusPlaces = postgresPlaces(COORDINATOR, distribute);

/** The same, where each statement of the program fails that would read or write rows of two generations. */
export const strictPlaces = postgresPlaces(
  COORDINATOR,
  distribute,
  " -c citus.multi_task_query_log_level=error",
);

/** Runs one statement on a node, by default on the coordinator, over a new connection. Returns the rows. */
export function query<Row extends QueryResultRow>(
  text: string,
  values: unknown[] = [],
  url = COORDINATOR,
): Promise<Row[]> {
  return runAt<Row>(url, text, values);
}

/** A node of the cluster on this machine. */
export interface CitusNode {
  readonly port: number;
  /** Suspends all processes of the node: it accepts connections, but does not answer. */
  halt(): void;
  resume(): void;
  /** Kills all processes of the node. */
  kill9(): Promise<void>;
  /** Starts the node after {@link kill9}. Resolves when it answers. */
  start(): Promise<void>;
}

/** The coordinator, then the workers. Fails unless the tests may signal their processes. */
export async function nodesOfCluster(): Promise<CitusNode[]> {
  const workers = await query<{ port: number }>(
    "SELECT nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeport",
  );
  const ports = [Number(new URL(COORDINATOR).port), ...workers.map(({ port }) => port)];
  return Promise.all(ports.map(nodeAt));
}

async function nodeAt(port: number): Promise<CitusNode> {
  const [row] = await query<{ folder: string }>(
    "SELECT current_setting('data_directory') AS folder",
    [],
    urlAt(port),
  );
  const folder = row?.folder ?? "";
  const postmaster = () => Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
  const program = readlinkSync(`/proc/${postmaster()}/exe`);
  const signal = (name: NodeJS.Signals) => {
    const parent = postmaster();
    for (const pid of [parent, ...childrenOf(parent)]) process.kill(pid, name);
  };
  return {
    port,
    halt: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async kill9() {
      const parent = postmaster();
      signal("SIGKILL");
      await until("the server has ended", () => !isAlive(parent));
    },
    async start() {
      const { uid, gid } = statSync(folder);
      for (;;) {
        spawn(program, ["-D", folder], { uid, gid, detached: true, stdio: "ignore", cwd: folder }).unref();
        for (let tries = 0; tries < 20; tries++) {
          await sleep(100);
          if (await query("SELECT", [], urlAt(port)).then(Boolean, () => false)) return;
        }
      }
    },
  };
}

export function urlAt(port: number): string {
  const url = new URL(COORDINATOR);
  url.port = String(port);
  return url.href;
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/status`, "utf8").includes(`\nPPid:\t${parent}\n`);
      } catch {
        return false;
      }
    });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
