/**
 * Measures a page of PostgreSQL over a slow network, and how long the page would take if all of its statements were
 * sent together.
 *
 *     node bench/postgres/waits.ts [--members 20000] [--delays 0,0.5] [--pages 100]
 *
 * A delay is that of one direction, in milliseconds. Prints a table.
 */
import { parseArgs } from "node:util";
import type { Column, Engine, Parameter, Statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { postgresPlaces } from "../../test/postgres/place.ts";
import { startRelay } from "../../test/postgres/network/relay.ts";
import { startPostgres } from "../../test/postgres/server/server.ts";
import { ENDPOINTS, endpointShape, MEMBER } from "../../test/store/statements/endpoints.ts";
import { replaced } from "../../test/store/statements/replaced.ts";
import { SHAPE, user } from "../../test/store/shape.ts";
import { World } from "../../test/world.ts";

const { values } = parseArgs({
  options: {
    members: { type: "string", default: "20000" },
    delays: { type: "string", default: "0,0.5" },
    pages: { type: "string", default: "100" },
  },
});

type Read = () => Promise<unknown>;

/** An engine that records its reads in `noted`. */
function noting(engine: Engine, noted: Read[]): Engine {
  const read = <Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]) => {
    noted.push(() => engine.read(wanted, ...parameters));
    return engine.read(wanted, ...parameters);
  };
  return replaced(engine, { read });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

async function timed(work: Read): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const members = Number(values.members);
await using server = await startPostgres({ settings: { shared_buffers: "512MB" } });
const place = await postgresPlaces(server.url()).open();
console.log("| each direction, ms | page | statements | rounds | ms | all at once, ms | saved |");
console.log("|---|---|---|---|---|---|---|");
let isImported = false;
for (const delay of values.delays.split(",").map(Number)) {
  await using relay = await startRelay(server.port, delay);
  const url = place.url.replace(`:${server.port}/`, `:${relay.port}/`);
  const noted: Read[] = [];
  const engine = noting(await openEngine(url), noted);
  const world = new World({ url, dispose: async () => {} }, new Store(engine), { cacheBytes: 8 << 20 });
  if (!isImported) await world.import(endpointShape(members));
  isImported = true;
  const token = await world.token(SHAPE);
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.replace("{self}", MEMBER);
    const asIs: number[] = [];
    const atOnce: number[] = [];
    let rounds = 0;
    for (let page = 0; page < Number(values.pages); page++) {
      world.store.cache.clear();
      noted.length = relay.rounds = 0;
      const query = `${path.includes("?") ? "&" : "?"}limit=${50 + page}`;
      asIs.push(await timed(() => world.get(`${path}${query}`, token)));
      ({ rounds } = relay);
      const all = [...noted];
      atOnce.push(await timed(() => Promise.all(all.map((read) => read()))));
    }
    const [is, once] = [median(asIs), median(atOnce)];
    const saved = `${Math.round(100 * (1 - once / is))} %`;
    console.log(
      `| ${delay} | \`${path.replace(user(1), "MEMBER")}\` | ${noted.length} | ${rounds} | ${is.toFixed(2)} | ${once.toFixed(2)} | ${saved} |`,
    );
  }
  await world.close();
}
