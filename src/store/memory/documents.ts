/**
 * Documents of members and spaces, as they are sent, in a file of this process. A page is one read of the file: reading
 * the same documents as rows of the database takes eight times as long.
 *
 * The file is no second truth: it is created exclusively, and loses its name before its first byte is written, so that
 * it ends with the process. Each chunk in memory knows where its documents lie.
 */
import { limit } from "../../sets/limit.ts";
import { sendSpace, sendUser } from "../../domain/document.ts";
import { positionAt } from "../../sets/position.ts";
import { SingleFlight } from "../cache.ts";
import { membersAt } from "../directory/member-rows.ts";
import { spacesAt } from "../directory/space-rows.ts";
import { type Engine, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, type Universe } from "../schema/set-names.ts";
import type { Chunk } from "./chunk.ts";
import { DocumentFile, type Stretch } from "./document-file.ts";

/** An entry of a chunk, by its ordinal. */
export interface ChunkEntry {
  readonly chunk: Chunk;
  readonly ordinal: number;
}

/**
 * A document as sent, in UTF-8, with one character for each byte. What depends on the request comes between the two
 * parts.
 */
export interface Sent {
  readonly begin: string;
  readonly end: string;
}

/** How many documents are written at once: about half a millisecond of work. */
const DOCUMENTS_PER_WRITE = limit("documents.together", 512);

/** Comes after the key of each document in the file. No key has it, so no key looks like the beginning of another. */
const END_OF_KEY = "\n";

/** Documents that lie further apart than this many bytes are read separately: from the file, and from memory. */
const GAP = limit("documents.gap", 1 << 13);
const GAP_IN_MEMORY = GAP >> 4;

/** While the living documents have at most this many bytes, they are in memory, too. */
const IN_MEMORY = limit("documents.in-memory", 24 << 20);

/** A page writes a stretch only if it has this many documents of it, */
const FEW_DOCUMENTS = limit("documents.few", 8);
/** or if so many of them were read as rows that writing all would have taken less time. */
const OFTEN = limit("documents.often", 64);

interface Dropped {
  readonly file: DocumentFile;
  readonly bytes: number;
}

/** A file of this many bytes more than twice the documents of the chunks in memory begins anew. */
const SPARE = 2 ** 26;

/** How often a page looks for its documents in the file before it reads them from the database. */
const TRIES = 3;

export const ERASURES = statement<[organization: string, erasures: number]>(
  ({ texts }) => `
    SELECT o.id, o.erasures FROM ${texts("$1", "wanted")} CROSS JOIN organization o WHERE o.id = wanted.value`,
);

/** The documents of one process. */
export class Documents {
  readonly #folder: string | undefined;
  readonly #most: number;
  /** The bytes in the file that chunks in memory refer to. */
  #living = 0;
  /** The bytes of stretches that are in memory, too. */
  #inMemory = new WeakMap<Stretch, Buffer>();
  readonly #dropped = new FinalizationRegistry<Dropped>(({ file, bytes }) => {
    if (file === this.#file) this.#living -= bytes;
  });
  readonly #note: (message: string) => void;
  #file: DocumentFile | undefined;
  #isOff: boolean;
  #buffer = Buffer.allocUnsafe(1 << 16);
  readonly #underWay = new SingleFlight<void>();
  /**
   * The organizations whose documents were read for the file, and how often a person was erased from each. An
   * organization is added before its documents are read, so that {@link forget} misses none.
   */
  readonly #erasures = new Map<string, number>();
  /** The engine's version up to which the organizations were compared. */
  #comparedAt = 0;
  /** How often {@link forget} has ended a file. */
  #forgotten = 0;

  /**
   * Without a folder, documents come from the database. The file has at most `most` bytes. `note` receives a line if the
   * file cannot be used any more.
   */
  constructor(folder?: string, most = 2 ** 30, note: (message: string) => void = () => {}) {
    this.#folder = folder;
    this.#most = most;
    this.#note = note;
    this.#isOff = folder === undefined;
  }

  /** The size of the file in bytes. */
  get size(): number {
    return this.#file?.length ?? 0;
  }

  /** Ends the file. The next document begins a new one. */
  replace(): void {
    this.#detach()?.close();
  }

  /**
   * Overwrites the file if it may have documents of a person who was forgotten, or of an organization that was removed.
   * Rejects if the database cannot be read. Call it regularly.
   */
  async forget(engine: Pick<Engine, "version" | "changedAt" | "read">): Promise<void> {
    const version = await engine.version();
    const changed = [...this.#erasures.keys()].filter((each) => engine.changedAt(each) > this.#comparedAt);
    const now = changed.length === 0 ? undefined : new Map(await engine.read(ERASURES, changed));
    this.#comparedAt = version;
    const erased = changed.filter((each) => now?.get(each) !== this.#erasures.get(each));
    if (erased.length === 0) return;
    for (const each of erased) this.#erasures.delete(each);
    this.#forgotten++;
    try {
      await this.#detach()?.overwrite();
    } catch (error) {
      this.#note(`The file of documents in ${this.#folder} could not be overwritten: ${wordsOf(error)}.`);
    }
  }

  #detach(): DocumentFile | undefined {
    const file = this.#file;
    this.#file = undefined;
    this.#living = 0;
    return file;
  }

  /** The documents of some members or spaces, in the order of `wanted`. */
  async of(
    reading: Reading,
    universe: Universe,
    wanted: readonly ChunkEntry[],
    publicUrl: string,
  ): Promise<readonly (Sent | undefined)[]> {
    let found = this.#read(wanted, publicUrl);
    const rows = new Map<number, Sent>();
    const takeRow = (position: number, begin: string, end: string) => {
      rows.set(position, { begin: bytesOf(begin), end: bytesOf(end) });
    };
    for (let tries = 0; found.includes(undefined); tries++) {
      const left = wanted.filter(
        (placed, index) => found[index] === undefined && !rows.has(positionOf(placed)),
      );
      const { few, writing } =
        this.#isOff || tries === TRIES
          ? { few: left, writing: [] }
          : this.#missing(reading, universe, left, publicUrl);
      const reads = few.length === 0 ? [] : [readRows(reading, universe, few, publicUrl, takeRow)];
      if (reads.length + writing.length > 0) await Promise.all([...reads, ...writing]);
      if (writing.length === 0) {
        return wanted.map((placed, index) => found[index] ?? rows.get(positionOf(placed)));
      }
      found = this.#read(wanted, publicUrl);
    }
    return found;
  }

  /**
   * Writes the stretches that are not in the file, each once for all pages that wait. Stretches of which a page has few
   * documents are written only if that happens often: reading these few as rows takes less time.
   */
  #missing(
    reading: Reading,
    universe: Universe,
    wanted: readonly ChunkEntry[],
    publicUrl: string,
  ): { readonly few: readonly ChunkEntry[]; readonly writing: readonly Promise<void>[] } {
    const { history, erasures, generation, revision } = reading.at;
    const few: ChunkEntry[] = [];
    const writing: Promise<void>[] = [];
    const keyOf = ({ chunk, ordinal }: ChunkEntry) =>
      `${chunk.number} ${Math.floor(ordinal / DOCUMENTS_PER_WRITE)}`;
    for (const [key, stretch] of Map.groupBy(wanted, keyOf)) {
      const [first] = stretch;
      if (first === undefined) continue;
      const { chunk, ordinal } = first;
      const number = Math.floor(ordinal / DOCUMENTS_PER_WRITE);
      const asRows = (chunk.asRows.get(number) ?? 0) + stretch.length;
      if (stretch.length < FEW_DOCUMENTS && asRows < OFTEN) {
        chunk.asRows.set(number, asRows);
        few.push(...stretch);
      } else {
        const whole = `${history}.${erasures}.${generation}.${revision} ${universe} ${key}`;
        writing.push(this.#underWay.do(whole, () => this.#write(reading, universe, first, publicUrl)));
      }
    }
    return { few, writing };
  }

  #stretchOf({ documents }: Chunk, ordinal: number, publicUrl: string): Stretch | undefined {
    const stretch = documents.get(Math.floor(ordinal / DOCUMENTS_PER_WRITE));
    return stretch?.file.isOpen === true && stretch.publicUrl === publicUrl ? stretch : undefined;
  }

  /** Writes the documents around an entry. */
  async #write(
    reading: Reading,
    universe: Universe,
    { chunk, ordinal }: ChunkEntry,
    publicUrl: string,
  ): Promise<void> {
    const number = Math.floor(ordinal / DOCUMENTS_PER_WRITE);
    const { organization, erasures } = reading.at;
    if (!this.#erasures.has(organization)) this.#erasures.set(organization, erasures);
    const forgotten = this.#forgotten;
    const first = number * DOCUMENTS_PER_WRITE;
    const around = Array.from(
      { length: Math.min(DOCUMENTS_PER_WRITE, chunk.length - first) },
      (_, index) => ({
        chunk,
        ordinal: first + index,
      }),
    );
    const found = new Map<number, { readonly begin: string; readonly end: string }>();
    await readRows(reading, universe, around, publicUrl, (position, begin, end) => {
      found.set(position, { begin, end });
    });
    // These documents may be those of a person who was forgotten meanwhile.
    if (this.#forgotten !== forgotten) return;
    // Another stretch of the same page may have found that the file cannot be used.
    if (this.#isOff) return;
    const marks = new Uint32Array(2 * around.length + 1);
    let length = 0;
    for (const [index, { ordinal }] of around.entries()) {
      const { begin, end } = found.get(positionAt(chunk.number, chunk.slotAt(ordinal))) ?? NOTHING;
      // A character takes three bytes at most.
      const most = length + chunk.lengthOfKey(ordinal) + 3 * (END_OF_KEY.length + begin.length + end.length);
      if (most > this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], 2 * most);
      marks[2 * index] = length;
      length += chunk.copyKey(ordinal, this.#buffer, length);
      length += this.#buffer.write(END_OF_KEY + begin, length);
      marks[2 * index + 1] = length;
      length += this.#buffer.write(end, length);
    }
    marks[2 * around.length] = length;
    try {
      if (this.size + length > Math.min(this.#most, 2 * this.#living + SPARE)) this.replace();
      const file = (this.#file ??= new DocumentFile(this.#folder ?? ""));
      const bytes = this.#buffer.subarray(0, length);
      const offset = file.append(bytes);
      const stretch: Stretch = { file, publicUrl, offset, marks };
      chunk.documents.set(number, stretch);
      this.#living += length;
      if (this.#living > IN_MEMORY) this.#inMemory = new WeakMap();
      else this.#inMemory.set(stretch, Buffer.from(bytes));
      this.#dropped.register(stretch, { file, bytes: length });
    } catch (error) {
      this.#turnOff(error);
    }
  }

  #turnOff(error: unknown): void {
    this.#isOff = true;
    this.replace();
    this.#note(
      `The file of documents in ${this.#folder} cannot be used: ${wordsOf(error)}. Documents come from the database.`,
    );
  }

  /** The documents that are in the file, and `undefined` for the others. */
  #read(wanted: readonly ChunkEntry[], publicUrl: string): (Sent | undefined)[] {
    const found: (Sent | undefined)[] = [];
    for (let index = 0; index < wanted.length;) {
      const begin = wanted[index];
      const stretch =
        begin && !this.#isOff ? this.#stretchOf(begin.chunk, begin.ordinal, publicUrl) : undefined;
      if (begin === undefined || stretch === undefined) {
        found.push(undefined);
        index++;
        continue;
      }
      const { chunk, ordinal } = begin;
      const { marks } = stretch;
      const bytes = this.#inMemory.get(stretch);
      const gap = bytes === undefined ? GAP : GAP_IN_MEMORY;
      const first = ordinal - (ordinal % DOCUMENTS_PER_WRITE);
      let from = marks[2 * (ordinal - first)] ?? 0;
      let to = marks[2 * (ordinal - first) + 2] ?? 0;
      let end = index + 1;
      for (; end < wanted.length; end++) {
        const next = wanted[end];
        if (next?.chunk !== chunk || next.ordinal < first || next.ordinal >= first + DOCUMENTS_PER_WRITE)
          break;
        const low = marks[2 * (next.ordinal - first)] ?? 0;
        const high = marks[2 * (next.ordinal - first) + 2] ?? 0;
        if (low > to + gap || high < from - gap) break;
        if (low < from) from = low;
        if (high > to) to = high;
      }
      const read = bytes?.subarray(from, to) ?? this.#bytes(stretch, from, to);
      const text = read?.toString("latin1");
      for (; index < end; index++) {
        const own = wanted[index]?.ordinal ?? ordinal;
        const at = 2 * (own - first);
        const record = (marks[at] ?? 0) - from;
        const cut = (marks[at + 1] ?? 0) - from;
        const document = record + chunk.lengthOfKey(own) + END_OF_KEY.length;
        // The database had no document when the file was written.
        if (read === undefined || text === undefined || cut === document) found.push(undefined);
        else if (chunk.hasKey(own, read, record) && text.startsWith(END_OF_KEY, document - END_OF_KEY.length))
          found.push({ begin: text.slice(document, cut), end: text.slice(cut, (marks[at + 2] ?? 0) - from) });
        else {
          this.#turnOff(new Error("it does not have what was written"));
          return wanted.map(() => undefined);
        }
      }
    }
    return found;
  }

  /** Bytes of a stretch that is only in the file; `undefined` if the file cannot be read. */
  #bytes({ file, offset }: Stretch, from: number, to: number): Buffer | undefined {
    const length = to - from;
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(2 * length);
    try {
      file.read(this.#buffer, length, offset + from);
    } catch (error) {
      this.#turnOff(error);
      return undefined;
    }
    return this.#buffer.subarray(0, length);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const NOTHING: Sent = { begin: "", end: "" };

function positionOf({ chunk, ordinal }: ChunkEntry): number {
  return positionAt(chunk.number, chunk.slotAt(ordinal));
}

/** Reads documents from the database, and hands them on by position. */
async function readRows(
  reading: Reading,
  universe: Universe,
  wanted: readonly ChunkEntry[],
  publicUrl: string,
  take: (position: number, begin: string, end: string) => void,
): Promise<void> {
  const positions = wanted.map(positionOf);
  if (universe === MEMBERS) {
    for (const [position, [, id, , text, omitted]] of await membersAt(reading, positions)) {
      take(position, sendUser(id, { text, omitted }, publicUrl), "");
    }
    return;
  }
  for (const [position, { id, document }] of await spacesAt(reading, positions)) {
    const [begin = "", end = ""] = sendSpace(id, document, publicUrl);
    take(position, begin, end);
  }
}

/** A text in UTF-8, with one character for each byte. */
export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString("latin1");
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;

function isAscii(text: string): boolean {
  return ASCII.test(text);
}
