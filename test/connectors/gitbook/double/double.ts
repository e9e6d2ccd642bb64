/**
 * A double of GitBook's API: a real HTTP server with a snapshot as its state. Every answer is validated by the official
 * OpenAPI file.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { byBytes } from "../../../oracle/order.ts";
import { problemsOf } from "./conformity.ts";
import { Entries, type Vintage } from "./entries.ts";
import { type Fault, misbehave } from "./fault.ts";
import { type Limit, Window } from "./limit.ts";
import { type List, operationAt } from "./listings.ts";
import type { State } from "./state.ts";

export interface DoubleOptions {
  readonly vintage?: Vintage;
  /** The largest page, whatever the request. */
  readonly pageSize?: number;
  readonly limit?: Limit;
  /** Faults by the number of the request, from 0; or a function that decides by the number and the request line. */
  readonly faults?: Readonly<Record<number, Fault>> | ((request: number, line: string) => Fault | undefined);
  /** Keyed by n: the state of the organization from the n-th request on. */
  readonly changes?: ReadonlyMap<number, State>;
  /** From the request with this number on, the token is revoked (or its user is no longer an admin). */
  readonly revokedAt?: number;
  readonly demotedAt?: number;
  /** Whether answers are validated. Answers that a test distorts on purpose are not. */
  readonly isChecked?: boolean;
}

export const TOKEN = "gb_api_secret-of-the-double";
const DEFAULT_LIMIT = 50;

interface Position {
  readonly path: string;
  readonly after: string;
}

export class Double {
  /** The current state; `states` also has all earlier ones. */
  state: State;
  readonly states: State[];
  /** The requests so far, as method, path and query. */
  readonly asked: string[] = [];
  /** Violations of the official OpenAPI file. If a test ends with any, the double is wrong. */
  readonly problems: string[] = [];
  /** The most requests that were not completely answered at the same time. */
  mostUnderWay = 0;
  #underWay = 0;
  readonly #options: DoubleOptions;
  readonly #vintage: Vintage;
  readonly #server: Server;
  readonly #pages = new Map<string, Position>();
  readonly #window: Window | undefined;
  readonly #lists = new Map<string, List | undefined>();

  private constructor(state: State, options: DoubleOptions) {
    this.state = state;
    this.states = [state];
    this.#options = options;
    this.#vintage = options.vintage ?? "newest";
    this.#window = options.limit === undefined ? undefined : new Window(options.limit);
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  static async open(state: State, options: DoubleOptions = {}): Promise<Double> {
    const double = new Double(state, options);
    await new Promise<void>((resolve) => {
      double.#server.listen(0, "127.0.0.1", resolve);
    });
    return double;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the double is closed");
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
    if (this.problems.length > 0) throw new Error(`the double is wrong: ${this.problems[0]}`);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.#underWay);
    response.on("close", () => this.#underWay--);
    const line = `${request.method} ${request.url}`;
    const index = this.asked.push(line) - 1;
    const next = this.#options.changes?.get(index);
    if (next !== undefined) {
      this.state = next;
      this.states.push(next);
      this.#lists.clear();
    }
    const { faults } = this.#options;
    const fault = typeof faults === "function" ? faults(index, line) : faults?.[index];
    const [status, body] = this.#answer(request, index, fault);
    const text = JSON.stringify(body);
    if (fault !== undefined && misbehave(fault, response, text)) return;
    response.writeHead(status, { "content-type": "application/json", ...this.#window?.headers() }).end(text);
  }

  #answer(
    request: IncomingMessage,
    index: number,
    fault: Fault | undefined,
  ): [status: number, body: unknown] {
    const url = new URL(request.url ?? "", "http://double");
    const { revokedAt = Infinity } = this.#options;
    if (request.headers.authorization !== `Bearer ${TOKEN}` || index >= revokedAt)
      return refusal(401, "Unauthorized");
    if (this.#window?.take() === false)
      return refusal(429, "API rate limit exceeded. Please try again later");
    const found = operationAt(url.pathname, this.#vintage);
    if (found === undefined || !url.pathname.startsWith("/v1/")) return refusal(404, "No such path");
    const { path, ids, operation } = found;
    const isOrganization = path.startsWith("/orgs/");
    if (isOrganization && ids[0] !== this.state.organization)
      return this.#checked(path, refusal(404, "Not found"));
    const isAdmin = index < (this.#options.demotedAt ?? Infinity);
    const entries = new Entries(this.state, this.#vintage);
    if (operation === undefined) {
      return this.#checked(path, [200, this.#distorted(path, entries.organization(isAdmin))]);
    }
    if (!isAdmin) return refusal(403, "Forbidden");
    const key = `${url.pathname}?${[url.searchParams.get("sort"), url.searchParams.get("order")].join()}`;
    if (!this.#lists.has(key))
      this.#lists.set(key, operation.list(this.state, entries, ids, url.searchParams));
    const isOwnList = isOrganization && path.split("/").length === 4;
    const hidden = (isOwnList ? this.state.beyond.hidden : undefined) ?? [];
    const list = this.#lists.get(key)?.filter(([id]) => !hidden.includes(id));
    if (list === undefined) return this.#checked(path, refusal(404, "Not found"));
    return this.#checked(path, this.#page(path, list, url, fault));
  }

  #page(
    path: string,
    list: List,
    { pathname, searchParams }: URL,
    fault: Fault | undefined,
  ): [number, unknown] {
    const limit = searchParams.get("limit") ?? String(DEFAULT_LIMIT);
    if (!/^\d{1,4}$/.test(limit) || Number(limit) > 1000) return refusal(400, "Bad limit");
    const page = searchParams.get("page");
    const position = page === null ? undefined : this.#pages.get(page);
    if (page !== null && (position?.path !== pathname || fault === "expired"))
      return refusal(400, "Bad page");
    const isDescending =
      path.endsWith("/members") && path.split("/").length === 4 && searchParams.get("order") !== "asc";
    const isBehind = (key: string, after: string) =>
      isDescending ? byBytes(key, after) < 0 : byBytes(key, after) > 0;
    const rest = position === undefined ? list : list.filter(([key]) => isBehind(key, position.after));
    const items = rest.slice(0, Math.min(Number(limit), this.#options.pageSize ?? 1000));
    const last = items.at(-1)?.[0];
    const next =
      fault === "repeated" && page !== null ? page : this.#token(pathname, last, rest.length > items.length);
    return [
      200,
      {
        ...(next === undefined ? {} : { next: { page: next } }),
        count: list.length,
        items: items.map(([, entry]) => this.#distorted(path, entry())),
      },
    ];
  }

  #token(path: string, after: string | undefined, isMore: boolean): string | undefined {
    if (after === undefined || !isMore) return undefined;
    const token = randomUUID();
    this.#pages.set(token, { path, after });
    return token;
  }

  #distorted(path: string, entry: Record<string, unknown>): Record<string, unknown> {
    return this.state.beyond.distort?.(path, entry) ?? entry;
  }

  #checked(path: string, answer: [status: number, body: unknown]): [status: number, body: unknown] {
    if (this.#options.isChecked === false || this.state.beyond.distort !== undefined) return answer;
    const problem = problemsOf(this.#vintage, path, ...answer);
    if (problem !== "") this.problems.push(`GET ${path}: ${problem}`);
    return answer;
  }
}

function refusal(code: number, message: string): [number, unknown] {
  return [code, { error: { code, message } }];
}
