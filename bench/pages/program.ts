import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { authorize, Caller } from "../../src/operations/authorize.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { readFilters } from "../../src/operations/parameters.ts";
import type { Engine } from "../../src/store/engine/engine.ts";
import type { Documents as DocumentsOf } from "../../src/store/memory/documents.ts";
import type { Store } from "../../src/store/store.ts";
import { ORGANIZATION } from "../data/identity.ts";
import type { Place } from "../work/draw.ts";

/** A build of the program, with its own database. Listings are called as the server of that build calls them. */
export interface Program {
  readonly name: string;
  /** The cost per page: CPU of the whole process in microseconds, rows and entries. */
  readonly cost: (pages: readonly Asked[]) => Promise<{ cpu: number; rows: number; entries: number }>;
  readonly close: () => Promise<void>;
}

export interface Asked extends Place {
  readonly limit?: number;
}

interface Modules {
  readonly openEngine: (url: string) => Promise<Engine>;
  readonly Store: new (engine: Engine) => Store;
  readonly OPERATIONS: readonly Operation[];
  readonly Documents: new (folder: string) => DocumentsOf;
  readonly authorize: typeof authorize;
}

export async function openProgram(name: string, build: string, database: string): Promise<Program> {
  const { openEngine, Store, OPERATIONS, Documents, ...modules } = await load(build);
  const store = new Store(await openEngine(`sqlite:${database}`));
  const organization = await store.registry.organization(ORGANIZATION);
  if (organization === undefined) throw new Error(`${database} has no organization ${ORGANIZATION}.`);
  const sending = { publicUrl: "http://x", documents: new Documents(dirname(database)) };
  const caller: Caller = { organization: ORGANIZATION, member: undefined };
  return {
    name,
    async cost(pages) {
      let rows = 0;
      let entries = 0;
      const before = process.cpuUsage();
      for (const { endpoint, id, role, after, limit = 50 } of pages) {
        const operation = OPERATIONS[endpoint - 1];
        if (operation === undefined) throw new RangeError(`There is no endpoint ${endpoint}.`);
        const path = pathOf(operation, id);
        const reading = store.reading(organization.current);
        await modules.authorize(reading, caller, operation.subject, path);
        const wanted = role === undefined ? undefined : (role as "read");
        const filters = { ...readFilters(new Map()), role: wanted };
        const page = await operation.list(reading, { path, filters, page: { after, limit } }, sending);
        rows += reading.rows;
        entries += page?.entries.length ?? 0;
      }
      const { user, system } = process.cpuUsage(before);
      return {
        cpu: (user + system) / pages.length,
        rows: rows / pages.length,
        entries: entries / pages.length,
      };
    },
    close: () => store.engine.close(),
  };
}

/** The path of the module that opens a database, in this build and in older ones. */
const OPENERS = ["store/engine/open.js", "store/open.js"];

async function load(build: string): Promise<Modules> {
  const openers = OPENERS.filter((file) => existsSync(join(build, file)));
  const modules = [
    ...openers,
    "store/store.js",
    "store/memory/documents.js",
    "operations/operations.js",
    "operations/authorize.js",
  ];
  const loaded: object[] = await Promise.all(modules.map((file) => import(join(build, file))));
  return Object.assign({}, ...loaded);
}

function pathOf({ subject }: Operation, id: string): Record<string, string> {
  const name = subject.of === "site" ? "siteId" : subject.parameter;
  return { organizationId: ORGANIZATION, [name]: id };
}
