/**
 * The readable revisions of an organization: the current one, and those before it as far back as the history reaches.
 * {@link Past} finds them by number and by time, {@link revisionAt} as WHEN names them (docs/past.md), and
 * {@link listRevisions} lists them with what made them.
 */
import { limit } from "../limit.ts";
import type { SpeltWhen, When } from "../../domain/date.ts";
import { ApiError } from "../../domain/error.ts";
import { type Engine, type Reader, statement } from "../engine/engine.ts";
import type { Counts, Reading, Revision } from "../reading.ts";

export interface Organization {
  readonly current: Revision;
  readonly earliest: number;
}

export type RevisionRow = [
  revision: number,
  generation: number,
  organization: string,
  title: string,
  importedAt: string,
  counts: string,
  erasures: number,
  earliest: number,
];

/** The columns of a {@link RevisionRow}. `r` is the table `revision`, `o` the table `organization`. */
export const REVISION_COLUMNS =
  "r.revision, r.generation, r.organization, r.title, r.imported_at, r.counts, o.erasures, o.earliest";

/** SQL: the readable revisions `r` of the organization `o` with the id `$1`. */
export const READABLE = `
  FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest WHERE o.id = $1`;

/** The current revision of the organization with the id `$1`. */
export const CURRENT = statement<RevisionRow>(
  () =>
    `SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.revision = o.revision WHERE o.id = $1`,
);

/** `history` is {@link Reader.history} at the time of the read. */
export function revisionOf(
  [revision, generation, organization, title, importedAt, counts, erasures]: RevisionRow,
  history: number,
): Revision {
  return {
    revision,
    generation,
    history,
    erasures,
    organization,
    title,
    importedAt,
    counts: parseCounts(counts),
  };
}

/** Parses the column `counts`, which only this program writes. */
export function parseCounts(text: string): Counts {
  const counts: Counts = JSON.parse(text);
  return counts;
}

interface PastRevision extends Revision {
  /** When the next revision became current (ISO 8601, UTC). */
  readonly replacedAt: string;
}

/** The maximum number of cached revisions of an organization, and of its cached times. */
const REMEMBERED = limit("past.remembered", 1000);

/** The first readable revision from this number on, and the readable revision after it. */
const BY_NUMBER = statement<RevisionRow>(
  () => `SELECT ${REVISION_COLUMNS} ${READABLE} AND r.revision >= $2 ORDER BY r.revision LIMIT 2`,
);
const IN_FORCE = statement<[revision: number]>(
  () => `SELECT r.revision ${READABLE} AND r.imported_at <= $2 ORDER BY r.imported_at DESC LIMIT 1`,
);

interface Remembered {
  readonly revisions: Map<number, PastRevision>;
  readonly inForce: Map<string, number>;
}

/** Looks up past revisions, and caches them until the organization changes. */
export class Past {
  readonly #engine: Pick<Engine, "read">;
  readonly #remembered = new WeakMap<Organization, Remembered>();

  constructor(engine: Pick<Engine, "read">) {
    this.#engine = engine;
  }

  /** The revision with this number; `undefined` unless it was replaced and is readable. */
  async byNumber(organization: Organization, number: number): Promise<PastRevision | undefined> {
    const { current, earliest } = organization;
    if (number < earliest || number >= current.revision) return undefined;
    const { revisions } = this.#of(organization);
    const known = revisions.get(number);
    if (known !== undefined) return known;
    const [row, next] = await this.#engine.read(BY_NUMBER, current.organization, number);
    if (row?.[0] !== number || next === undefined) return undefined;
    const past = { ...revisionOf(row, current.history), replacedAt: next[4] };
    remember(revisions, number, past);
    return past;
  }

  /** The revision that was current at a time (ISO 8601, UTC); `undefined` before the earliest readable one. */
  async inForce(organization: Organization, time: string): Promise<Revision | undefined> {
    const { current } = organization;
    if (time >= current.importedAt) return current;
    const { inForce } = this.#of(organization);
    let number = inForce.get(time);
    if (number === undefined) {
      const [row] = await this.#engine.read(IN_FORCE, current.organization, time);
      if (row === undefined) return undefined;
      number = row[0];
      remember(inForce, time, number);
    }
    return this.byNumber(organization, number);
  }

  #of(organization: Organization): Remembered {
    let remembered = this.#remembered.get(organization);
    if (remembered === undefined) {
      remembered = { revisions: new Map(), inForce: new Map() };
      this.#remembered.set(organization, remembered);
    }
    return remembered;
  }
}

function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): void {
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, value);
}

/** How far a time may be ahead of this machine's clock, in milliseconds. */
const AHEAD = 60_000;

/**
 * The revision of an organization that WHEN names. Throws an ApiError (404) if it cannot be read; the message has the
 * earliest and the latest readable revision.
 */
export async function revisionAt(
  past: Past,
  organization: Organization,
  { when, spelt }: SpeltWhen,
): Promise<Revision> {
  const found = await lookUp(past, organization, when);
  if (found === undefined) throw await unreadable(past, organization, spelt);
  return found;
}

/** The ApiError (404) for a revision that cannot be read. */
export async function unreadable(past: Past, organization: Organization, spelt: string): Promise<ApiError> {
  const { current, earliest } = organization;
  const first = earliest === current.revision ? current : await past.byNumber(organization, earliest);
  const bounds = [first, current].map(
    (each) => `${each?.revision ?? earliest}${each === undefined ? "" : ` (${each.importedAt})`}`,
  );
  return new ApiError(
    "notFound",
    `There is no revision ${JSON.stringify(spelt)} that can be read; the earliest is ${bounds[0]}, the latest ${bounds[1]}.`,
  );
}

async function lookUp(past: Past, organization: Organization, when: When): Promise<Revision | undefined> {
  const { current } = organization;
  const now = new Date().toISOString();
  const latest = new Date(Date.now() + AHEAD).toISOString();
  switch (when.kind) {
    case "revision":
      return when.revision === current.revision ? current : past.byNumber(organization, when.revision);
    case "day":
      if (when.from > latest) return undefined;
      // If the day has not ended, its revision is the current one.
      return when.to >= now ? current : past.inForce(organization, when.to);
    case "time":
      if (when.time > latest) return undefined;
      // The current revision may be later than now, if a clock was wrong or set back.
      return when.time >= now ? current : past.inForce(organization, when.time);
  }
}

export interface ListedRevision {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly importedAt: string;
  readonly command: string;
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of the change file. */
  readonly change: string | undefined;
  readonly title: string;
  readonly counts: Counts;
}

type ListedRow = [
  revision: number,
  importedAt: string,
  command: string,
  note: string | null,
  input: string | null,
  change: string | null,
  title: string,
  counts: string,
];

const LISTED = `
    SELECT r.revision, r.imported_at, r.command, r.note, r.input, r.change, r.title, r.counts ${READABLE}`;
const REVISIONS = statement<ListedRow>(() => `${LISTED} ORDER BY r.revision DESC`);
const UP_TO = statement<ListedRow>(
  () => `${LISTED} AND r.imported_at <= $2 AND r.revision < $3 ORDER BY r.revision DESC LIMIT $4`,
);

/** All readable revisions of an organization, latest first. */
export async function* listRevisions(reader: Reader, organization: string): AsyncGenerator<ListedRevision> {
  for await (const row of reader.stream(REVISIONS, organization)) yield listed(row);
}

/** The readable revisions up to a time (ISO 8601, UTC) with numbers below `below`, latest first; `limit` at most. */
export async function revisionsUpTo(
  reader: Pick<Reader, "read">,
  organization: string,
  { time, below, limit }: { readonly time: string; readonly below: number; readonly limit: number },
): Promise<ListedRevision[]> {
  return (await reader.read(UP_TO, organization, time, below, limit)).map(listed);
}

function listed([
  revision,
  importedAt,
  command,
  note,
  input,
  change,
  title,
  counts,
]: ListedRow): ListedRevision {
  return {
    revision,
    importedAt,
    command,
    note: note ?? undefined,
    input: input ?? undefined,
    change: change ?? undefined,
    title,
    counts: parseCounts(counts),
  };
}

/** The readable revision with this number, or the next one; `undefined` if there is none. */
export async function revisionFrom(
  reading: Reading,
  organization: string,
  number: number,
): Promise<Revision | undefined> {
  const [row] = await reading.read(BY_NUMBER, organization, number);
  return row === undefined ? undefined : revisionOf(row, reading.at.history);
}
