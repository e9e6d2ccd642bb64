/** All measures, in the order of a run. */
import type { Bench } from "./harness/bench.ts";
import type { Put } from "./harness/result.ts";
import { citus } from "./measures/citus.ts";
import { changing, changingPostgres } from "./measures/changes.ts";
import { differences } from "./measures/diff.ts";
import { endpoints } from "./measures/endpoints.ts";
import { importing } from "./measures/import.ts";
import { following } from "./measures/follow.ts";
import { load } from "./measures/load.ts";
import { pages } from "./measures/pages.ts";
import { past } from "./measures/past.ts";
import { plain, spicedb } from "./measures/peers.ts";
import { postgres } from "./measures/postgres.ts";
import { rareRole } from "./measures/rare-role.ts";
import { checks } from "./measures/rules.ts";
import { sharing } from "./measures/sharing.ts";
import { start } from "./measures/start.ts";
import { tables } from "./measures/tables.ts";
import { tenants } from "./measures/tenants.ts";
import { waits } from "./measures/waits.ts";
import { walk } from "./measures/walk.ts";
import { workers } from "./measures/workers.ts";

/** By the name of the file in `results`. */
export const MEASURES: Readonly<Record<string, (bench: Bench, put: Put) => Promise<void>>> = {
  endpoints,
  pages,
  "rare-role": rareRole,
  walk,
  workers,
  import: importing,
  tables,
  changes: changing,
  "changes-postgres": changingPostgres,
  follow: following,
  load,
  postgres,
  diff: differences,
  past,
  rules: checks,
  waits,
  sharing,
  tenants,
  peers: plain,
  spicedb,
  citus,
  start,
};
