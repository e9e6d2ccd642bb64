/** Opens the database of a command, and finds the organization and the revision that the command is about. */
import type { SpeltWhen } from "../domain/date.ts";
import { CommandError, UsageError } from "../domain/error.ts";
import { isMissing, openEngine } from "../store/engine/open.ts";
import type { Revision } from "../store/reading.ts";
import { listOrganizations } from "../store/revisions/organizations.ts";
import { revisionAt } from "../store/revisions/past.ts";
import { tidy } from "../domain/search.ts";
import { Models } from "../store/models.ts";
import { Store } from "../store/store.ts";
import { SETTINGS, type Settings, readSettings } from "./settings.ts";
import { LoadingLine, say } from "./terminal.ts";

interface CommandContext {
  readonly settings: Settings;
  readonly store: Store;
}

/**
 * Runs a command on the configured database, and closes the database afterwards. A missing file is created. `note`
 * receives messages about the database.
 */
export async function withStore<T>(
  database: string | undefined,
  work: (context: CommandContext) => Promise<T>,
  note = say,
): Promise<T> {
  return run(database, readSettings(process.env, database), work, note);
}

const NONE = "sqlite::memory:";

/** Runs a command that only reads. A missing database is not created; the command sees an empty one. */
export async function withStoreOrNone<T>(
  database: string | undefined,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  if (!isMissing(settings.database)) return run(database, settings, work, say);
  say(
    `There is no database ${settings.database} yet, so this compares with an empty one; rolebook import FILE creates it.`,
  );
  return run(database, { ...settings, database: NONE }, work, say);
}

/** Runs a command on a database that must exist. Throws a CommandError if it does not. */
export async function withExistingStore<T>(
  database: string | undefined,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, database);
  const missing = missingDatabase(settings);
  if (missing !== undefined) throw new CommandError(missing);
  return run(database, settings, work, say);
}

/** What to say if the database file does not exist; `undefined` if it exists. */
export function missingDatabase({ database }: Settings): string | undefined {
  if (!isMissing(database)) return undefined;
  return (
    `There is no database ${database}. Create it with rolebook import FILE, ` +
    "or name another one with --database or ROLEBOOK_DATABASE_URL."
  );
}

async function run<T>(
  given: string | undefined,
  settings: Settings,
  work: (context: CommandContext) => Promise<T>,
  note: (message: string) => void,
): Promise<T> {
  const engine = await namingDatabase(given, () => openEngine(settings.database, note));
  try {
    const line = new LoadingLine();
    const models = new Models({ progress: (part) => line.show(part) });
    return await work({ settings, store: new Store(engine, undefined, models) });
  } finally {
    await engine.close();
  }
}

/** Runs work that opens the database. A UsageError in it gets the name of the option or setting that has the URL. */
export async function namingDatabase<T>(given: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const name = given === undefined ? SETTINGS.database.name : "--database";
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/**
 * The revision that a command reads: the current one, or the one that `when` names. Throws what {@link
 * chooseOrganization} throws, and 404 if the revision cannot be read.
 */
export async function chooseRevision(
  store: Store,
  id: string | undefined,
  when: SpeltWhen | undefined,
): Promise<Revision> {
  const current = await chooseOrganization(store, id);
  const organization = await store.registry.organization(current.organization);
  if (when === undefined || organization === undefined) return current;
  return revisionAt(store.registry.past, organization, when);
}

const MOST_NAMED = 10;

/**
 * The organization of a command: the one with this id or, for commands that only read, this title; without `id`, the only
 * one. Throws a CommandError if it does not exist, and a UsageError if there are several.
 */
export async function chooseOrganization(
  store: Store,
  id: string | undefined,
  accepts: "names" | "ids" = "names",
): Promise<Revision> {
  if (id !== undefined) {
    const organization = await store.registry.organization(id);
    return organization?.current ?? organizationTitled(store, id, accepts);
  }
  const [only, ...others] = await listOrganizations(store.engine);
  if (only === undefined) {
    throw new CommandError("The database has no organization yet; import one with rolebook import FILE.");
  }
  if (others.length === 0) return only;
  throw new UsageError(
    `There are several organizations; choose one with --organization: ${idsOf([only, ...others])}.`,
  );
}

async function organizationTitled(store: Store, title: string, accepts: "names" | "ids"): Promise<Revision> {
  const wanted = tidy(title);
  const all = accepts === "ids" ? [] : await listOrganizations(store.engine);
  const titled = all.filter((each) => tidy(each.title) === wanted);
  const [only, ...others] = titled;
  if (only === undefined) {
    throw new CommandError(
      `There is no organization ${JSON.stringify(title)}; see rolebook organization list.`,
    );
  }
  if (others.length > 0) {
    throw new UsageError(
      `--organization is the title of several organizations; choose one by its id: ${idsOf(titled)}.`,
    );
  }
  say(`${JSON.stringify(title)} is organization ${only.organization}.`);
  return only;
}

function idsOf(organizations: readonly Revision[]): string {
  const ids = organizations.map(({ organization }) => organization);
  if (ids.length <= MOST_NAMED) return ids.join(", ");
  return `${ids.slice(0, MOST_NAMED).join(", ")} and ${ids.length - MOST_NAMED} more`;
}
