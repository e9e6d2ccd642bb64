import { type Command, InvalidArgumentError, Option } from "commander";
import { CommandError } from "../../../domain/error.ts";
import { MAX_LIMIT } from "../../../domain/page.ts";
import { type Operation, parametersOf } from "../../../operations/operation.ts";
import { OPERATIONS } from "../../../operations/operations.ts";
import { PATH_PARAMETERS, QUERY_PARAMETERS } from "../../../operations/parameters.ts";
import { say, write } from "../../context.ts";
import { AT, readAt } from "../../options.ts";
import { type Format, FORMATS, outputOf } from "../../output/list-output.ts";
import { askPage, readRemote, type Remote } from "../../remote.ts";
import { StatusLine } from "../../output/status/status-line.ts";

/** As in every other command, the organization is an option, not an argument. */
const ORGANIZATION = "organizationId";

export function addLists(list: Command): void {
  for (const operation of OPERATIONS) addList(list, operation);
}

/** Such as `space-aggregate`. */
export function nameOf({ subject, path }: Operation): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return `${subject.of === "content" ? subject.kind : subject.of}-${last}`;
}

function addList(list: Command, operation: Operation): void {
  const command = list
    .command(nameOf(operation))
    .summary(operation.summary)
    .description(operation.description);
  const parameters = parametersOf(operation.path);
  const named = parameters.filter((name) => name !== ORGANIZATION);
  for (const name of named) {
    command.argument(`<${name.replace(/Id$/, "")}>`, PATH_PARAMETERS[name]?.description);
  }
  if (parameters.includes(ORGANIZATION)) {
    command.requiredOption("--organization <id>", PATH_PARAMETERS[ORGANIZATION]?.description);
  }
  for (const name of operation.filters) {
    const { description, schema } = QUERY_PARAMETERS[name];
    const option = new Option(`--${name} <${name}>`, description);
    if ("enum" in schema && Array.isArray(schema.enum)) option.choices(schema.enum.map(String));
    command.addOption(option);
  }
  command
    .addOption(new Option("--format <format>", "how to print the list").choices(FORMATS).default("table"))
    .option(...AT)
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

export interface ListRequest {
  readonly operation: Operation;
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
export async function listAll(
  remote: Remote,
  request: ListRequest,
  { write, say }: ListReader,
): Promise<void> {
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

function pathOf({ operation, path, filters, limit, at }: ListRequest, page: string | undefined): string {
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
