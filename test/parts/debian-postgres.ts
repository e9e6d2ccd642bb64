import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const HOME = "/usr/lib/postgresql";

/** The folder of the newest PostgreSQL that a package of Debian or Ubuntu installed; `undefined` if there is none. */
export function debianPostgres(): string | undefined {
  if (!existsSync(HOME)) return undefined;
  return readdirSync(HOME)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(HOME, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}
