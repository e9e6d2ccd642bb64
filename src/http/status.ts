import { ApiError } from "../domain/error.ts";
import { statement } from "../store/engine/engine.ts";
import { listOrganizations, unreachable } from "../store/revisions/organizations.ts";
import type { Store } from "../store/store.ts";
import { answer, bodyOf, type Exchange, JSON_TYPE, type Route } from "./exchange.ts";
import type { Service } from "./service.ts";

const PING = statement<[one: number]>(() => "SELECT 1 FROM counter WHERE name = 'revision'");

/**
 * Organizations are counted again after `COUNT_INTERVAL` milliseconds, or after `SHARE` times the duration of the last
 * count if that is longer; at once while some of them cannot be read.
 */
const COUNT_INTERVAL = 5000;
const SHARE = 50;

interface ReachCounts {
  readonly reachable: number;
  readonly unreachable: number;
}

function countingReach({ engine }: Store): () => Promise<ReachCounts> {
  let shown: ReachCounts | undefined;
  let counting: Promise<ReachCounts> | undefined;
  let until = 0;
  const count = async () => {
    const began = performance.now();
    const organizations = await listOrganizations(engine);
    const lost = await unreachable(engine, organizations);
    const now = performance.now();
    until = lost.size > 0 ? now : now + Math.max(COUNT_INTERVAL, SHARE * (now - began));
    shown = { reachable: organizations.length - lost.size, unreachable: lost.size };
    return shown;
  };
  return async () => {
    if (counting === undefined && performance.now() >= until) {
      counting = count().finally(() => (counting = undefined));
      counting.catch(() => {});
    }
    // A count takes as long as a node takes that does not answer.
    return shown ?? counting ?? count();
  };
}

/**
 * `/healthz` answers while the process runs. `/readyz` answers 200 while the database answers and the server accepts
 * requests, once it has loaded the organizations used last; with a remote database, it also says how many organizations can be read.
 */
export function statusRoutes(service: Service): Route[] {
  const reached = countingReach(service.store);
  const says = ({ headers }: Exchange, status: object) => {
    const body = bodyOf(JSON.stringify(status));
    return answer(200, { ...headers, "cache-control": "no-store", ...JSON_TYPE }, body);
  };
  return [
    { path: "/healthz", kind: "probe", handler: (exchange) => says(exchange, { status: "alive" }) },
    {
      path: "/readyz",
      kind: "probe",
      async handler(exchange) {
        if (service.draining) {
          throw new ApiError("unavailable", "The server is stopping.", { "retry-after": "1" });
        }
        const [row] = await service.store.engine.read(PING);
        if (row === undefined) {
          throw new ApiError("unavailable", "The database does not answer.", { "retry-after": "1" });
        }
        if (service.loading === true) {
          throw new ApiError("unavailable", "The server is loading the organizations used last.", {
            "retry-after": "1",
          });
        }
        const reach = service.store.engine.remote ? { organizations: await reached() } : {};
        return says(exchange, { status: "ready", ...reach });
      },
    },
  ];
}
