/**
 * Reads one or two revisions as they were at one moment, for commands: an import meanwhile changes nothing of what they
 * read. A request reads without this, because its rows stay for a minute after they became unreadable.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../domain/error.ts";
import type { SpeltWhen } from "../../domain/date.ts";
import { type Reader, statement } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";
import { type Organization, revisionAt, READABLE } from "./past.ts";
import type { Store } from "../store.ts";

/** The maximum number of attempts while imports replace the revision, and the delay between two, in milliseconds. */
const TRIES = 200;
const PAUSE = 50;

const KEPT = statement<[kept: number]>(() => `SELECT 1 ${READABLE} AND r.revision = $2`);

/** Whether `reader` can read a revision. */
export async function isRevisionThere(
  reader: Reader,
  { organization, revision }: Revision,
): Promise<boolean> {
  const [kept] = await reader.read(KEPT, organization, revision);
  return kept !== undefined;
}

/**
 * Runs `work` on the current revision, or on that of `when`, in a consistent read. Imports during the read do not
 * affect it. Throws a CommandError if the organization does not exist, and an ApiError (404) if the revision cannot be
 * read.
 */
export async function readConsistently<T>(
  store: Store,
  organization: string,
  work: (at: Revision, reader: Reader) => Promise<T>,
  when?: SpeltWhen,
): Promise<T> {
  return whileThere(
    store,
    organization,
    (found) => revisionNamed(store, found, when),
    (at, reader) => work(at, reader),
    (reader, at) => isRevisionThere(reader, at),
  );
}

export interface TwoRevisions {
  readonly from: Revision;
  readonly to: Revision;
}

/**
 * Runs `work` on two revisions of one organization, in a consistent read. Without `to`, the later revision is the
 * current one. Throws a CommandError if one of them was deleted during the work.
 */
export async function readTwoConsistently<T>(
  store: Store,
  organization: string,
  whens: { readonly from: SpeltWhen; readonly to: SpeltWhen | undefined },
  work: (at: TwoRevisions, reader: Reader) => Promise<T>,
): Promise<T> {
  const areThere = async (reader: Reader, { from, to }: TwoRevisions) =>
    (await isRevisionThere(reader, from)) && (await isRevisionThere(reader, to));
  const { result, at } = await whileThere(
    store,
    organization,
    async (found) => ({
      from: await revisionNamed(store, found, whens.from),
      to: await revisionNamed(store, found, whens.to),
    }),
    async (at, reader) => ({ result: await work(at, reader), at }),
    areThere,
  );
  if (await areThere(store.engine, at)) return result;
  throw new CommandError(
    `Revision ${Math.min(at.from.revision, at.to.revision)} is no longer kept; nothing was written.`,
  );
}

async function revisionNamed(
  { registry }: Store,
  organization: Organization,
  when: SpeltWhen | undefined,
): Promise<Revision> {
  return when === undefined ? organization.current : revisionAt(registry.past, organization, when);
}

async function whileThere<At, T>(
  store: Store,
  organization: string,
  find: (found: Organization) => Promise<At>,
  work: (at: At, reader: Reader) => Promise<T>,
  isThere: (reader: Reader, at: At) => Promise<boolean>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await store.registry.organization(organization);
    if (found === undefined) {
      throw new CommandError(`There is no organization ${JSON.stringify(organization)}.`);
    }
    const at = await find(found);
    {
      await using reader = await store.engine.view();
      if (await isThere(reader, at)) return await work(at, reader);
    }
    // An import ran between the two reads.
    await sleep(PAUSE);
  }
  throw new CommandError(
    `Organization ${JSON.stringify(organization)} changes faster than it can be read; try again later.`,
  );
}
