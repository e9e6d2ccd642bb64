import { CommandError, UsageError } from "../domain/error.ts";
import { readApiUrl, readToken } from "../connectors/gitbook/api.ts";
import { Client, DEFAULTS } from "../connectors/gitbook/client.ts";
import { readAccepted } from "../connectors/gitbook/concerns.ts";
import { manifestOf } from "../connectors/gitbook/manifest.ts";
import { probe } from "../connectors/gitbook/probe.ts";
import { pull } from "../connectors/gitbook/pull.ts";
import { snapshotOf } from "../connectors/gitbook/records.ts";
import { differencesAsText, verify } from "../connectors/gitbook/verify.ts";
import { piecesOf, whole, writeSnapshot } from "../connectors/output.ts";
import { print, say, write } from "./context.ts";
import { type ImportArguments, importCommand } from "./import.ts";
import { PullLine } from "./pull-line.ts";
import { summaryOf } from "./pull-summary.ts";

export interface PullArguments extends ImportArguments {
  readonly organization: string;
  readonly api?: string;
  readonly tokenFile?: string;
  readonly output?: string;
  readonly manifest?: string;
  readonly import?: boolean;
  readonly accept?: string;
  readonly verify?: string | true;
  readonly probe?: boolean;
  readonly rate?: string;
  readonly concurrency?: string;
  readonly maxWait?: string;
}

/** How many contents, members and sites `--verify` compares where it has no number. */
const VERIFIED = 20;

/** `rolebook pull gitbook`: an organization of GitBook as a snapshot, on standard output, in a file or imported. */
export async function pullGitbookCommand(options: PullArguments): Promise<void> {
  const accept = options.accept === undefined ? new Set<string>() : readAccepted(options.accept);
  const most = verifiedOf(options.verify);
  const client = clientOf(options);
  const line = new PullLine(client);
  try {
    if (options.probe === true) {
      for await (const finding of probe(client, options.organization)) await print(finding);
      return;
    }
    const pulled = await pull(client, options.organization, {
      accept,
      progress: (step) => line.report(step),
    });
    const verified = most === undefined ? undefined : await verify(client, pulled, most);
    line.end();
    const manifest = manifestOf(pulled, { api: client.api.url, requests: client.requests, verified });
    say(summaryOf(manifest));
    if (verified !== undefined && verified.differences.length > 0) {
      throw new CommandError(`${differencesAsText(verified)}\nNothing was written.`);
    }
    const { output, manifest: file } = options;
    if (output !== undefined || options.import !== true)
      await writeSnapshot(snapshotOf(pulled), output, write);
    if (file !== undefined) await whole(file, async (put) => put(`${JSON.stringify(manifest, null, 2)}\n`));
    if (options.import === true)
      await importCommand([{ name: "GitBook", pieces: piecesOf(snapshotOf(pulled)) }], options);
  } finally {
    line.end();
  }
}

function clientOf(options: PullArguments): Client {
  const limits = {
    rate: numberOf("--rate", options.rate, "requests a minute") ?? DEFAULTS.rate,
    concurrency: numberOf("--concurrency", options.concurrency, "requests at once") ?? DEFAULTS.concurrency,
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

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function maxWaitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d{1,4})([smh])$/.exec(value) ?? [];
  if (amount !== undefined) return Number(amount) * (UNITS[unit] ?? 0);
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
