import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../src/http/app.ts";
import { Load } from "../src/http/load.ts";
import { ResponseCache } from "../src/http/response-cache.ts";
import { RateLimit } from "../src/http/rate-limit.ts";
import type { Service } from "../src/http/service.ts";
import { type ImportOptions, type ImportResult, importFiles } from "../src/snapshot/import.ts";
import { openEngine } from "../src/store/engine/open.ts";
import { Models } from "../src/store/models.ts";
import { Store } from "../src/store/store.ts";
import { createToken } from "../src/store/tokens.ts";
import { Line } from "./hostile/ask.ts";
import { type SnapshotRecord, toLines } from "./oracle/records.ts";

export const PUBLIC_URL = "https://docs.example/api";

/** A new, empty database. */
export interface Place {
  /** The URL for `--database`. */
  readonly url: string;
  dispose(): Promise<void>;
}

/** Opens a new database. Every store passes the same tests with its own function. */
export type OpenPlace = () => Promise<Place>;

/** A SQLite file in a new temporary folder. */
export const sqlitePlace: OpenPlace = async () => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-test-"));
  return {
    url: `sqlite:${join(folder, "rolebook.db")}`,
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

let store = sqlitePlace;

/** A database in the store of this run; vitest.config.ts names the files that are run on each store. */
export const ownPlace: OpenPlace = () => store();

/** Sets the store of {@link ownPlace}; the default is SQLite. */
export function useStore(open: OpenPlace): void {
  store = open;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly body: string;
}

export interface WorldOptions {
  /** The size of the caches, in bytes; 0 turns them off. */
  readonly cacheBytes?: number;
  readonly rateLimit?: number;
}

/** What a server works with; by default without a cache and limits. */
export function serviceOf(store: Store, parts: Partial<Service> = {}): Service {
  return {
    store,
    publicUrl: PUBLIC_URL,
    version: "test",
    responses: new ResponseCache(1),
    rateLimit: new RateLimit(0),
    load: new Load(),
    pagesRead: 0,
    draining: false,
    ...parts,
  };
}

/** The whole program on one database, used like a client. */
export class World {
  readonly store: Store;
  readonly app: FastifyInstance;
  readonly #place: Place;
  readonly #folder = mkdtempSync(join(tmpdir(), "rolebook-files-"));
  readonly #tokens = new Map<string, string>();
  #line: Promise<Line> | undefined;

  constructor(place: Place, store: Store, { cacheBytes = 8 << 20, rateLimit = 0 }: WorldOptions) {
    this.#place = place;
    this.store = store;
    const responses = new ResponseCache(cacheBytes || 1, true);
    this.app = buildApp(serviceOf(store, { responses, rateLimit: new RateLimit(rateLimit) }), false);
  }

  static async open(openPlace: OpenPlace, options: WorldOptions = {}): Promise<World> {
    const place = await openPlace();
    const engine = await openEngine(place.url);
    const [cacheBytes, bytes] = options.cacheBytes === 0 ? [4, 0] : [8 << 20, 64 << 20];
    return new World(place, new Store(engine, cacheBytes, new Models({ bytes })), options);
  }

  /** The URL of the database, for `--database` and for other processes. */
  get url(): string {
    return this.#place.url;
  }

  /** Writes text to a file of this world. Returns its path. */
  file(text: string | Buffer, name = "snapshot.ndjson"): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return path;
  }

  import(
    records: readonly SnapshotRecord[],
    options: ImportOptions = { allowRemovals: true, allowEmpty: true },
  ): Promise<ImportResult> {
    return importFiles(this.store.engine, [this.file(toLines(records))], options);
  }

  /** A token of an organization or of one of its members. Equal calls return the same token. */
  async token(organization: string, member?: string): Promise<string> {
    const holder = JSON.stringify([organization, member]);
    const known = this.#tokens.get(holder);
    if (known !== undefined) return known;
    const token = await createToken(this.store, { organization, member, name: "test" });
    this.#tokens.set(holder, token);
    return token;
  }

  get(path: string, token?: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask("GET", path, token, headers);
  }

  async ask(
    method: string,
    path: string,
    token?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const line = await (this.#line ??= this.#listen());
    return line.ask({
      method,
      target: path,
      headers: token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers },
    });
  }

  async #listen(): Promise<Line> {
    if (!this.app.server.listening) await this.app.listen({ host: "127.0.0.1", port: 0 });
    return new Line(this.app.addresses()[0]?.port ?? 0);
  }

  /** Requests a page, and parses it. Throws unless the status is 200. */
  async page(path: string, token: string): Promise<ListPage> {
    const { status, body } = await this.get(path, token);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    const page: ListPage = JSON.parse(body);
    return page;
  }

  /** Walks a listing, and returns all items. `limits` are used in turn; `between` runs after each page. */
  async walk(
    path: string,
    token: string,
    limits: readonly number[] = [1000],
    between: (page: number) => Promise<void> = async () => {},
  ): Promise<unknown[]> {
    const items: unknown[] = [];
    let next: string | undefined;
    for (let index = 0; index === 0 || next !== undefined; index++) {
      const mark = path.includes("?") ? "&" : "?";
      const limit = limits[index % limits.length] ?? 1000;
      const page = await this.page(
        `${path}${mark}limit=${limit}${next === undefined ? "" : `&page=${next}`}`,
        token,
      );
      if (page.count !== page.items.length)
        throw new Error(`${path}: count ${page.count}, ${page.items.length} items`);
      if (page.items.length > limit) throw new Error(`${path}: more than ${limit} items`);
      if (index > 0 && page.items.length === 0 && page.next !== undefined)
        throw new Error(`${path}: an empty page`);
      items.push(...page.items);
      next = page.next?.page;
      await between(index);
    }
    return items;
  }

  async close(): Promise<void> {
    (await this.#line)?.close();
    await this.app.close();
    await this.store.engine.close();
    rmSync(this.#folder, { recursive: true, force: true });
    await this.#place.dispose();
  }
}

export interface ListPage {
  readonly next?: { readonly page: string };
  readonly count: number;
  readonly items: readonly unknown[];
}
