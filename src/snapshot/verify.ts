/** Checks that an organization's derived data follows from its records (docs/operations.md). */
import { CommandError } from "../domain/error.ts";
import type { Staging } from "../store/engine/engine.ts";
import { type WrongRows, wrongRows } from "../store/writing/generation/verify.ts";
import { derive } from "../store/writing/generation/derived-rows.ts";
import { differences } from "../store/writing/generation/difference.ts";
import { publishAnew } from "../store/writing/publish.ts";
import { stageSets } from "../store/writing/generation/sets.ts";
import {
  StagedWriter,
  createStaged,
  fetchStored,
  indexStaged,
  encodeLine,
  takeStored,
} from "../store/writing/generation/staged.ts";
import { readConsistently } from "../store/revisions/consistent-read.ts";
import type { Revision } from "../store/reading.ts";
import type { Store } from "../store/store.ts";
import { exportLines } from "./export.ts";
import { readRecords } from "./read.ts";
import { stage } from "./staging.ts";

export interface VerifyOptions {
  /** If something differs, writes the derived data as a new revision. */
  readonly repair: boolean;
  /** Called once, if another import or change must end first. */
  readonly waiting: () => void;
}

export interface Verified {
  readonly organization: string;
  readonly revision: number;
  readonly findings: readonly WrongRows[];
  /** The revision that repaired the organization; `undefined` if none did. */
  readonly repaired: number | undefined;
}

const DERIVED = ["catalog", "search", "chunk", "container"];

/** Derives everything from the records again, and compares it with the stored rows. */
export async function verify(store: Store, organization: string, options: VerifyOptions): Promise<Verified> {
  const verified = await store.engine.importing(async (staging) => {
    const { revision } = await stageStored(store, organization, staging);
    await takeStored(staging);
    await fetchStored(staging);
    await fetchStored(staging, DERIVED);
    await derive(staging, 1, "stored");
    await stageSets(staging);
    const findings = await wrongRows(staging);
    return { organization, revision, findings, repaired: undefined };
  }, options.waiting);
  if (!options.repair || verified.findings.length === 0) return verified;
  return { ...verified, repaired: await repair(store, organization, options) };
}

/** Writes an organization anew from its records. Returns the number of the new revision. */
function repair(store: Store, organization: string, { waiting }: VerifyOptions): Promise<number> {
  return store.engine.importing(async (staging) => {
    await stageStored(store, organization, staging);
    await fetchStored(staging);
    const [change] = await differences(staging, false);
    if (change === undefined) throw new CommandError(`Organization ${organization} has just been removed.`);
    const source = { command: "verify", note: undefined, input: undefined, id: undefined } as const;
    const [published] = (await publishAnew(store.engine, staging, change, source)) ?? [];
    if (published === undefined) throw new Error("Nothing was written.");
    return published.revision;
  }, waiting);
}

/** Stages the stored records as an import of an unchanged file would. */
function stageStored(store: Store, organization: string, staging: Staging): Promise<Revision> {
  return readConsistently(store, organization, async (at, reader) => {
    await createStaged(staging);
    const writer = new StagedWriter(staging);
    const input = { name: "the database", pieces: piecesOf(exportLines(reader, at)) };
    await readRecords([input], {}, (record, file, line) => stage(writer, record, encodeLine(file, line)));
    await writer.end();
    await indexStaged(staging);
    return at;
  });
}

/** How many lines are staged together. */
const LINES = 1000;

async function* piecesOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece: string[] = [];
  for await (const line of lines) {
    piece.push(line);
    if (piece.length < LINES) continue;
    yield `${piece.join("\n")}\n`;
    piece = [];
  }
  yield `${piece.join("\n")}\n`;
}
