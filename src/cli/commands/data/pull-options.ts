import type { Command } from "commander";
import { readApiUrl, readToken } from "../../../connectors/gitbook/api/api.ts";
import { Client, DEFAULTS } from "../../../connectors/gitbook/api/client.ts";
import { readAccepted } from "../../../connectors/gitbook/concerns.ts";
import { UsageError } from "../../../domain/error.ts";
import { parseDuration } from "../../duration.ts";
import { readFormat } from "../../output/import-details.ts";
import type { ImportArguments } from "./writing-arguments.ts";

export interface PullArguments extends ImportArguments {
  readonly organization: string;
  readonly api?: string;
  readonly tokenFile?: string;
  readonly output?: string;
  readonly manifest?: string;
  readonly import?: boolean;
  readonly accept?: readonly string[];
  readonly verify?: string | true;
  readonly probe?: boolean;
  readonly rate?: string;
  readonly concurrency?: string;
  readonly maxWait?: string;
}

/** How many contents, members and sites `--verify` compares by default. */
const VERIFIED = 20;

/** Options that only `--import` needs. */
const FOR_IMPORT = {
  database: "--database <url>",
  dryRun: "--dry-run",
  details: "--details",
  format: "--format <format>",
  allowRemovals: "--allow-removals",
  allowEmpty: "--allow-empty",
  json: "--json",
} as const;

export function addPullOptions(command: Command): Command {
  command
    .requiredOption("--organization <id>", "the organization, by GitBook's id")
    .option("--token-file <file>", "the file that holds the token, instead of GITBOOK_TOKEN")
    .option("--output <file>", "write to a file that only its owner may read, once the output is complete")
    .option("--manifest <file>", "write what was read and left out, as JSON")
    .option(
      "--accept <kinds...>",
      "omit data that a snapshot cannot represent: its kinds, as a refused pull lists them",
    )
    .option(
      "--verify [number|all]",
      `compare this many contents, members and sites with GitBook's own lists (default: ${VERIFIED})`,
    )
    .option("--probe", "print how the API behaves, without ids, for a report to the developers")
    .option("--rate <number>", "the largest number of requests per minute")
    .option("--concurrency <number>", `concurrent requests (default: ${DEFAULTS.concurrency})`)
    .option("--max-wait <duration>", "how long the rate limit may delay a request (default: 15m)")
    .option("--api <url>", "another address of the API: https, or a port of this machine")
    .option("--import", "import the snapshot, with the guard and exit status of rolebook import");
  for (const flags of Object.values(FOR_IMPORT))
    command.option(flags, "with --import: see rolebook import --help");
  return command;
}

/** Throws a UsageError for options that contradict each other. */
export function readPull(options: PullArguments) {
  const stray = Object.entries(FOR_IMPORT).find(([name]) => Object.hasOwn(options, name));
  if (stray !== undefined && options.import !== true) {
    throw new UsageError(`${stray[1].split(" ")[0]} is given without --import; accepted: both.`);
  }
  readFormat(options.format, options.details === true, options.json === true);
  return {
    accept: options.accept === undefined ? new Set<string>() : readAccepted(options.accept),
    verify: verifiedOf(options.verify),
    client: clientOf(options),
  };
}

function clientOf(options: PullArguments): Client {
  const limits = {
    rate: numberOf("--rate", options.rate, "requests a minute") ?? DEFAULTS.rate,
    concurrency:
      numberOf("--concurrency", options.concurrency, "concurrent requests") ?? DEFAULTS.concurrency,
    maxWait: maxWaitOf(options.maxWait) ?? DEFAULTS.maxWait,
  };
  const url = readApiUrl(options.api);
  return new Client({ url, token: readToken(options.tokenFile, process.env) }, limits);
}

function numberOf(option: string, value: string | undefined, what: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(value)) return Number(value);
  throw new UsageError(
    `${option} is ${JSON.stringify(value)}; accepted: ${what}, a whole number from 1 to 99999.`,
  );
}

function maxWaitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = parseDuration(value, ["s", "m", "h"]);
  if (milliseconds !== undefined) return milliseconds;
  throw new UsageError(
    `--max-wait is ${JSON.stringify(value)}; accepted: seconds, minutes or hours, such as 30s, 15m or 2h.`,
  );
}

function verifiedOf(value: string | true | undefined): number | undefined {
  if (value === undefined || value === "all") return value === undefined ? undefined : Infinity;
  if (value === true) return VERIFIED;
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new UsageError(
    `--verify is ${JSON.stringify(value)}; accepted: how many, as a whole number, or all.`,
  );
}
