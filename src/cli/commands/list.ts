/** `rolebook list`: prints a listing of a server, which it asks over HTTP, page by page, as any client would. */
import { isObject } from "../../domain/json.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Api, type ApiAnswer, askApi, messageIn } from "../../connectors/api.ts";
import { CommandError, UsageError } from "../../domain/error.ts";
import { MAX_LIMIT } from "../../domain/page.ts";
import { type Listing, cellsOf, parametersOf } from "../../operations/operation.ts";
import { csvLines } from "../../operations/csv.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import {
  type FilterName,
  PATH_PARAMETERS,
  parameterName,
  QUERY_PARAMETERS,
} from "../../operations/parameters.ts";
import { AT, addOptions, example } from "../command-table.ts";
import { readAt } from "../options.ts";
import { FORMATS, type Format } from "../output.ts";
import { SETTINGS, type Setting, readSettings } from "../settings.ts";
import { StatusLine, say, table, write } from "../terminal.ts";

export interface RemotePage {
  readonly items: readonly unknown[];
  readonly next: string | undefined;
  readonly revision: string | undefined;
}

/** The time limit of a request, in milliseconds. */
const LONGEST_REQUEST = 120_000;
/** How often a page is requested if the server is unavailable, and if it limits the rate. */
const TRIES = 5;
const BUSY_TRIES = 10;
/** The statuses with which a server or a proxy says that it is unavailable for a while. */
const AWAY = [502, 503, 504];

/**
 * The server that `ROLEBOOK_URL` and `ROLEBOOK_TOKEN` name. Throws a UsageError if one of them is missing or invalid.
 */
export function readRemote(environment: NodeJS.ProcessEnv): Api {
  const { remoteUrl, remoteToken } = readSettings(environment);
  return { url: needed(SETTINGS.remoteUrl, remoteUrl), token: needed(SETTINGS.remoteToken, remoteToken) };
}

function needed({ name, accepted }: Setting<string | undefined>, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${name} is not set; accepted: ${accepted}.`);
}

/**
 * Requests a page. If the server limits the rate or is unavailable, says so to `note`, waits and tries again. Throws a
 * CommandError after the last try, and for every other refusal.
 */
export async function askPage(
  remote: Api,
  path: string,
  note: (message: string) => void,
): Promise<RemotePage> {
  for (let away = 0, busy = 0; ;) {
    const answer = await askApi(remote, path, { deadline: LONGEST_REQUEST });
    if (answer.status === 200) return pageOf(answer, remote);
    const busyNow = answer.status === 429;
    if (busyNow ? ++busy >= BUSY_TRIES : !isAway(answer) || ++away >= TRIES) {
      throw new CommandError(refusalOf(answer, remote));
    }
    const { wait } = answer.allowance;
    const usual = busyNow ? 60 : 2 ** (away - 1);
    const seconds = wait === undefined ? usual : Math.max(1, Math.ceil(wait / 1000));
    const reason = busyNow ? "Too many requests" : `The server is not answering (${answer.reason})`;
    note(`${reason}; retrying in ${seconds} s.`);
    await sleep(seconds * 1000);
  }
}

function isAway({ status }: ApiAnswer): boolean {
  return status === 0 || AWAY.includes(status);
}

function pageOf({ body, headers }: ApiAnswer, { url }: Api): RemotePage {
  if (body !== undefined && Array.isArray(body.items) && body.count === body.items.length) {
    const items: unknown[] = body.items;
    const next = isObject(body.next) ? String(body.next.page) : undefined;
    return { items, next, revision: headers.get("x-rolebook-revision") ?? undefined };
  }
  throw new CommandError(`${url} does not answer like a Rolebook server; check ROLEBOOK_URL.`);
}

function refusalOf({ status, reason, body }: ApiAnswer, { url }: Api): string {
  if (status === 0) return `${url} cannot be reached: ${reason}.`;
  const known = messageIn(body);
  if (known === undefined) return `${url} answers with status ${status}; check ROLEBOOK_URL.`;
  if (status === 401)
    return `${known} Set ROLEBOOK_TOKEN to a token that rolebook token create printed on the server.`;
  return known;
}

/** Turns the entries of a list into text, page by page. */
export interface Output {
  begin(): string;
  /** Empty in a format that is written as a whole at the end. */
  page(items: readonly unknown[]): string;
  end(): string;
}

/** A table is written at the end, when the widths of its columns are known. */
export function outputOf(format: Format, { columns }: Pick<Listing, "columns">): Output {
  if (format === "ndjson") return ndjson;
  const names = columns.map(([name]) => name);
  if (format === "csv") {
    return {
      begin: () => csvLines([names]),
      page: (items) => csvLines(items.map((item) => cellsOf(item, columns).map(String))),
      end: () => "",
    };
  }
  const rows: (string | number)[][] = [];
  return {
    begin: () => "",
    page: (items) => {
      for (const item of items) rows.push(cellsOf(item, columns));
      return "";
    },
    end: () => `${table(names, rows)}\n`,
  };
}

const ndjson: Output = {
  begin: () => "",
  page: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(""),
  end: () => "",
};

/** As in every other command, the organization is an option, not an argument. */
const ORGANIZATION = "organizationId";

export function addLists(list: Command): void {
  for (const operation of OPERATIONS) addList(list, operation);
}

/** The filters that are options of an operation's command: all but those with a single value. */
function optionsOf({ filters }: Listing): FilterName[] {
  return filters.filter((name) => !("const" in QUERY_PARAMETERS[name].schema));
}

/** Such as `space-aggregate`. */
export function nameOf({ subject, path }: Listing): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return `${subject.of === "content" ? subject.kind : subject.of}-${last}`;
}

function addList(list: Command, operation: Listing): void {
  const command = list
    .command(nameOf(operation))
    .summary(operation.summary)
    .description(operation.description);
  const parameters = parametersOf(operation.path);
  const named = parameters.filter((name) => name !== ORGANIZATION);
  const given = parameters.map(
    (name) => `${name === ORGANIZATION ? "--organization " : ""}${PATH_PARAMETERS[name]?.example}`,
  );
  command.addHelpText("after", example([`list ${nameOf(operation)}`, ...given].join(" ")));
  for (const name of named) {
    command.argument(`<${name.replace(/Id$/, "")}>`, PATH_PARAMETERS[name]?.description);
  }
  if (parameters.includes(ORGANIZATION)) {
    command.requiredOption("--organization <id>", PATH_PARAMETERS[ORGANIZATION]?.description);
  }
  for (const filter of optionsOf(operation)) {
    const { description, schema } = QUERY_PARAMETERS[filter];
    const name = parameterName(filter);
    const option = new Option(`--${name} <${name}>`, description);
    if ("enum" in schema && Array.isArray(schema.enum)) option.choices(schema.enum.map(String));
    command.addOption(option);
  }
  command.addOption(
    new Option("--format <format>", "how to print the list").choices(FORMATS).default("table"),
  );
  addOptions(command, AT)
    .option("--limit <entries>", `entries per request, 1 to ${MAX_LIMIT}`, readLimit, MAX_LIMIT)
    .action(async (...given: unknown[]) => {
      const ids = Object.fromEntries(named.map((name, index) => [name, String(given[index])]));
      const { format, limit, organization, at, ...filters } = command.opts<Options>();
      const path = { ...ids, ...(organization === undefined ? {} : { [ORGANIZATION]: organization }) };
      await listAll(
        readRemote(process.env),
        { operation, path, filters, limit, format, at: readAt(at)?.spelt },
        { write, say },
      );
    });
}

interface Options {
  readonly format: Format;
  readonly limit: number;
  readonly organization?: string;
  readonly at?: string;
  readonly [filter: string]: unknown;
}

function readLimit(value: string): number {
  const limit = /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Accepted: a whole number from 1 to ${MAX_LIMIT}.`);
}

export interface WalkRequest {
  readonly operation: Listing;
  /** The path parameters by name, not encoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly filters: Readonly<Record<string, unknown>>;
  /** Entries per page. */
  readonly limit: number;
  readonly format: Format;
  /** The value of `--at`; absent for the current revision. */
  readonly at?: string | undefined;
}

export interface ListReader {
  write(piece: string): Promise<void>;
  say(message: string): void;
}

/** Writes a whole list, page by page. Throws a CommandError if it could not be read to its end. */
export async function listAll(remote: Api, request: WalkRequest, { write, say }: ListReader): Promise<void> {
  const output = outputOf(request.format, request.operation);
  const line = new StatusLine();
  const note = (message: string) => {
    line.end();
    say(message);
  };
  const revisions = new Set<string>();
  let entries = 0;
  let written = false;
  const put = async (text: string) => {
    if (text === "") return;
    line.end();
    written = true;
    await write(text);
  };
  try {
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const found = await askPage(remote, pathOf(request, page), note);
      if (first) await put(output.begin());
      await put(output.page(found.items));
      entries += found.items.length;
      if (found.revision !== undefined) revisions.add(found.revision);
      page = found.next;
      line.show(() => `Listing … ${count(entries)}`);
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const came = written ? `only ${count(entries)} were received` : "nothing was printed";
    throw new CommandError(
      entries === 0 ? error.message : `${error.message} The list is not complete: ${came}.`,
    );
  } finally {
    line.end();
  }
  await put(output.end());
  say(`${count(entries)}, revision ${[...revisions].join(" and ")}.`);
  if (revisions.size > 1)
    say("An import ran while the list was read; entries that remained are listed once.");
}

function pathOf({ operation, path, filters, limit, at }: WalkRequest, page: string | undefined): string {
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ""),
  );
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  if (page !== undefined) query.set("page", page);
  return `${at === undefined ? "" : `/at/${encodeURIComponent(at)}`}${target}?${query}`;
}

function count(entries: number): string {
  return `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`;
}
