/**
 * `rolebook pull gitbook`: its options, its progress, and what it says it has read. The connector makes the snapshot; with
 * `--import`, the snapshot goes to the import as a file would.
 */
import { type Command, Option } from "commander";
import { GitBookClient, DEFAULTS, readApiUrl, readToken } from "../../connectors/gitbook/client.ts";
import { readAccepted } from "../../connectors/gitbook/concerns.ts";
import { type Manifest, manifestOf } from "../../connectors/gitbook/manifest.ts";
import { probe } from "../../connectors/gitbook/probe.ts";
import { type PullProgress, pull, snapshotOf, spacesOfSpeakingSites } from "../../connectors/gitbook/pull.ts";
import { differencesAsText, verify } from "../../connectors/gitbook/verify.ts";
import { piecesOf, whole, writeSnapshot } from "../../snapshot/output.ts";
import { CommandError, UsageError } from "../../domain/error.ts";
import { quote } from "../../domain/text.ts";
import { type OptionTable, type OptionsOf, addOptions, example } from "../command-table.ts";
import { readNumber, readWait } from "../options.ts";
import { StatusLine, interruptible, print, say, write } from "../terminal.ts";
import { importCommand } from "./import.ts";
import { readFormat } from "./writing.ts";

/** How many contents, members and sites `--verify` compares by default. */
const VERIFIED = 20;

/** Options that only `--import` needs. */
const OF_IMPORT = "with --import: see rolebook import --help";
const FOR_IMPORT = {
  "--database <url>": OF_IMPORT,
  "--dry-run": OF_IMPORT,
  "--details": OF_IMPORT,
  "--format <format>": OF_IMPORT,
  "--allow-removals": OF_IMPORT,
  "--allow-empty": OF_IMPORT,
  "--refuse-returned": OF_IMPORT,
} as const;

const OPTIONS = {
  "--organization <id>": { required: "the organization, by GitBook's id" },
  "--token-file <file>": "the file that holds the token, instead of GITBOOK_TOKEN",
  "--output <file>": "write to a file that only its owner may read, once the output is complete",
  "--manifest <file>": "write what was read and left out, as JSON",
  "--accept <kinds...>":
    "omit data that a snapshot cannot represent: its kinds, as a refused pull lists them",
  "--verify [number|all]": `compare this many contents, members and sites with GitBook's own lists (default: ${VERIFIED})`,
  "--probe": "print how the API behaves, without ids, for a report to the developers",
  "--rate <number>": "the largest number of requests per minute",
  "--concurrency <number>": `concurrent requests (default: ${DEFAULTS.concurrency})`,
  "--max-wait <duration>": "how long the rate limit may delay a request (default: 15m)",
  "--api <url>": "another address of the API: https, or a port of this machine",
  "--import": "import the snapshot, with the guard and exit status of rolebook import",
  ...FOR_IMPORT,
} as const satisfies OptionTable;

export type PullOptions = OptionsOf<typeof OPTIONS>;

/** Throws a UsageError for options that contradict each other. */
export function readPull(options: PullOptions) {
  const stray = Object.keys(FOR_IMPORT).find((flags) =>
    Object.hasOwn(options, new Option(flags).attributeName()),
  );
  if (stray !== undefined && options.import !== true) {
    throw new UsageError(`${stray.split(" ")[0]} is given without --import; accepted: both.`);
  }
  readFormat(options);
  return {
    accept: options.accept === undefined ? new Set<string>() : readAccepted(options.accept),
    verify: verifiedOf(options.verify),
    client: clientOf(options),
  };
}

function clientOf(options: PullOptions): GitBookClient {
  const limits = {
    rate: numberOf("--rate", options.rate, "requests a minute") ?? DEFAULTS.rate,
    concurrency:
      numberOf("--concurrency", options.concurrency, "concurrent requests") ?? DEFAULTS.concurrency,
    maxWait: readWait(options.maxWait, "--max-wait", "30s, 15m or 2h") ?? DEFAULTS.maxWait,
  };
  const url = readApiUrl(options.api);
  return new GitBookClient({ url, token: readToken(options.tokenFile, process.env) }, limits);
}

function numberOf(option: string, value: string | undefined, what: string): number | undefined {
  if (value === undefined) return undefined;
  return readNumber(option, value, 99_999, `${what}, a whole number from 1 to 99999`);
}

function verifiedOf(value: string | true | undefined): number | undefined {
  if (value === undefined || value === "all") return value === undefined ? undefined : Infinity;
  if (value === true) return VERIFIED;
  return readNumber("--verify", value, 9_999_999, "how many, as a whole number, or all");
}

const MOST_SHOWN = 20;

const SITES_DIFFER =
  "Sites have a say on some of these spaces, and GitBook's documentation contradicts itself on how. To leave out what " +
  "sites say: --accept site-permissions. To see which rule gives GitBook's results: --probe.\n";

/** What a pull has read and what it has left out. */
export function summaryOf(manifest: Manifest): string {
  const { organization, window, requests, readings, settled, disabled, gone, accepted, verified } = manifest;
  const lines = [
    `Read organization ${organization} between ${window.from} and ${window.to}: ` +
      `${requests} requests, its lists ${readings} times.`,
  ];
  if (!settled)
    lines.push("The organization kept changing during the pull: the latest changes may be missing.");
  if (disabled.length > 0) lines.push(`Left out disabled members, ${some(disabled)}.`);
  if (gone.length > 0) lines.push(`Disappeared during the pull, ${some(gone)}.`);
  for (const { kind, at } of accepted) lines.push(`Accepted ${kind}, ${some(at)}.`);
  if (verified !== undefined) {
    const { contents, members, sites, differences } = verified;
    lines.push(
      `Compared ${contents} contents, ${members} members and ${sites} sites with GitBook's own lists: ` +
        `${differences.length} differences.`,
    );
  }
  return lines.join("\n");
}

function some(names: readonly string[]): string {
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : "";
  return `${names.length}: ${names.slice(0, MOST_SHOWN).map(quote).join(", ")}${more}`;
}

/** Shows the progress of a pull on one line of the terminal; nothing without a terminal. */
export class PullLine {
  readonly #line = new StatusLine();
  readonly #client: GitBookClient;
  readonly #began = Date.now();
  readonly #clock: NodeJS.Timeout;
  #step: PullProgress = {
    phase: "lists",
    contents: { done: 0, of: 0 },
    requests: { done: 0, of: undefined },
  };

  constructor(client: GitBookClient) {
    this.#client = client;
    // Redraws every second, because a pull that waits for the rate limit reports nothing.
    this.#clock = setInterval(() => this.#show(), 1000).unref();
  }

  report(step: PullProgress): void {
    this.#step = step;
    this.#show();
  }

  /** The pull compares roles from now on (`--verify`); how many requests this takes is not known. */
  compare(): void {
    this.report({ ...this.#step, phase: "comparing", requests: { done: 0, of: undefined } });
  }

  /** Removes the line. May be called again. */
  [Symbol.dispose](): void {
    this.end();
  }

  end(): void {
    clearInterval(this.#clock);
    this.#line.end();
  }

  #show(): void {
    this.#line.show(() =>
      progressText(this.#step, {
        requests: this.#client.requests,
        elapsed: Date.now() - this.#began,
        held: this.#client.heldUntil - Date.now(),
      }),
    );
  }
}

/**
 * Such as `content 312/460 · 609 of ~997 requests · ~9 min · waiting 23 s for the limit`. Times are in milliseconds.
 */
export function progressText(
  { phase, contents, requests: { of } }: PullProgress,
  { requests, elapsed, held }: { requests: number; elapsed: number; held: number },
): string {
  const parts = [phase === "content" ? `content ${contents.done}/${contents.of}` : phase];
  if (of === undefined) parts.push(`${requests} requests`);
  else {
    const total = Math.max(of, requests);
    parts.push(`${requests} of ~${total} requests`);
    if (requests > 0 && total > requests)
      parts.push(`~${duration((elapsed / requests) * (total - requests))}`);
  }
  if (held > 0) parts.push(`waiting ${Math.ceil(held / 1000)} s for the limit`);
  return parts.join(" · ");
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

export function addPulls(pulls: Command): void {
  const gitbook = pulls
    .command("gitbook")
    .description(
      "write an organization of GitBook as a snapshot, with its admin's token in GITBOOK_TOKEN; see docs/gitbook.md",
    )
    .addHelpText(
      "after",
      example("pull gitbook --organization 2Zq8b7 --token-file token --output gitbook.ndjson"),
    );
  addOptions(gitbook, OPTIONS).action(pullGitbookCommand);
}

/** `rolebook pull gitbook`: reads an organization of GitBook, and writes it as a snapshot or imports it. */
export async function pullGitbookCommand(options: PullOptions): Promise<void> {
  await interruptible(
    () => "Interrupted; nothing was imported, and no unfinished file remains.",
    () => pullGitbook(options),
  );
}

async function pullGitbook(options: PullOptions): Promise<void> {
  const { accept, verify: asked, client } = readPull(options);
  using line = new PullLine(client);
  if (options.probe === true) {
    for await (const finding of probe(client, options.organization)) await print(finding);
    return;
  }
  const pulled = await pull(client, options.organization, {
    accept,
    progress: (step) => line.report(step),
  });
  const ofSites = spacesOfSpeakingSites(pulled);
  const most = asked ?? (ofSites.length > 0 ? 0 : undefined);
  if (most !== undefined) line.compare();
  const verified = most === undefined ? undefined : await verify(client, pulled, most);
  line.end();
  const manifest = manifestOf(pulled, { api: client.api.url, requests: client.requests, verified });
  say(summaryOf(manifest));
  if (verified !== undefined && verified.differences.length > 0) {
    const areOfSites = verified.differences.some(({ at }) => ofSites.some((space) => space === at));
    throw new CommandError(
      `${differencesAsText(verified)}\n${areOfSites ? SITES_DIFFER : ""}Nothing was written.`,
    );
  }
  const { output, manifest: file } = options;
  if (output !== undefined || options.import !== true) await writeSnapshot(snapshotOf(pulled), output, write);
  if (file !== undefined) await whole(file, async (put) => put(`${JSON.stringify(manifest, null, 2)}\n`));
  if (options.import === true)
    await importCommand([{ name: "GitBook", pieces: piecesOf(snapshotOf(pulled)) }], options);
}
