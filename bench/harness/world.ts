import { copyFileSync, createWriteStream, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { statement } from "../../src/store/engine/engine.ts";
import { SERVER_CORE } from "./cores.ts";
import { type Landmarks, type Size, landmarks, writeSnapshot } from "../data.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { MAIN, rolebook } from "./rolebook.ts";
import { type Ran, timed } from "./command.ts";

/** One generated organization and its database. */
export interface World {
  readonly size: Size;
  readonly seed: number;
  readonly marks: Landmarks;
  /** The database; the SQLite file from which pages are drawn; the snapshot file from which it was imported. */
  readonly url: string;
  readonly path: string;
  readonly file: string;
  /** An organization token. */
  readonly token: string;
  /**
   * The number of the current revision. It is also the number of the generation, because the database has one import.
   */
  readonly revision: number;
  /** The cost of the import; absent if the database is from an earlier run. */
  readonly imported: Ran | undefined;
}

/** Imports the organization of a size into `folder`, unless its database exists. */
export async function makeWorld(size: Size, seed: number, folder: string): Promise<World> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${size}-${seed}.ndjson`);
  const path = join(folder, `${size}-${seed}.db`);
  const there = existsSync(path);
  if (!existsSync(file)) await writeSnapshot(size, seed, createWriteStream(file));
  const imported = there ? undefined : await importInto(path, file);
  const database = `sqlite:${path}`;
  const token = await rolebook("token", "create", "--database", database, "--organization", ORGANIZATION);
  const revision = currentOf(path);
  return { size, seed, marks: landmarks(size, seed), url: database, path, file, token, revision, imported };
}

/** Moves all that the log of a SQLite file has into the file, and empties the log. */
export const CHECKPOINT = statement(() => "PRAGMA wal_checkpoint(TRUNCATE)");

/** Copies a world's database, for a measure that changes it. The copy ends with its scope. */
export function copied(world: World, name: string): World & Disposable {
  const path = `${world.path}-${name}`;
  const remove = () => removeDatabase(path);
  remove();
  const database = new DatabaseSync(world.path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  copyFileSync(world.path, path);
  return { ...world, path, url: `sqlite:${path}`, [Symbol.dispose]: remove };
}

export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-import"]) rmSync(`${path}${end}`, { force: true });
}

/** Runs `rolebook import`, by default on the server's core. */
export async function importInto(
  path: string,
  file: string,
  where: { readonly core: number } = { core: SERVER_CORE },
): Promise<Ran> {
  return await timed(where, MAIN, "import", "--database", `sqlite:${path}`, file);
}

/** Opens the database read-only, while a server uses it. */
export function look(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true });
}

function currentOf(path: string): number {
  const database = look(path);
  try {
    const row = database.prepare("SELECT revision FROM organization WHERE id = ?").get(ORGANIZATION);
    return Number(row?.["revision"]);
  } finally {
    database.close();
  }
}
