import { Pool } from "pg";
import type { PostgresServer } from "../../test/postgres/server/server.ts";
import { spread, type Spread } from "../figures/spread.ts";
import { familyCpu } from "./cpu.ts";
import type { PostgresWorld } from "./world.ts";

/** Reads a member as a page finds one. */
const MEMBER = `
  SELECT m.doc FROM place p JOIN member m ON m.generation = p.generation AND m.position = p.position
    WHERE p.generation = $1 AND p.universe = 0 AND p.key = $2`;

/** The cost of reading one row by primary key, with the driver of the server and a pool of the same size. */
export interface Lookup {
  /** The CPU of this process and of PostgreSQL, in microseconds. */
  readonly cpu: Spread;
  readonly milliseconds: Spread;
}

/** Reads members by key, one at a time, with prepared statements as for pages. */
export async function lookUp(
  postgres: PostgresServer,
  { url, world }: PostgresWorld,
  members: readonly string[],
  rounds: number,
  count: number,
): Promise<Lookup> {
  const pool = new Pool({ connectionString: url, max: 10 });
  const cpus: number[] = [];
  const medians: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const times: number[] = [];
      const before = process.cpuUsage();
      const server = familyCpu(postgres.pid() ?? 0);
      for (let index = 0; index < count; index += 1) {
        const begin = performance.now();
        const { rows } = await pool.query<[string]>({
          name: "lookup",
          text: MEMBER,
          values: [world.revision, members[(index * 7919 + round) % members.length]],
          rowMode: "array",
        });
        times.push(performance.now() - begin);
        if (rows.length !== 1) throw new Error("a member is missing");
      }
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      cpus.push((user + system + familyCpu(postgres.pid() ?? 0) - server) / count);
      medians.push(spread(times).median);
    }
  } finally {
    await pool.end();
  }
  return { cpu: spread(cpus), milliseconds: spread(medians) };
}
