/**
 * A file of the explorer, or an export, as a stream: its parts are read from one consistent read, one part ahead of the client, and
 * few files at once.
 */
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { ApiError } from "../domain/error.ts";
import type { File } from "../explorer/server/operation.ts";
import { BOM, csvLines } from "../operations/csv.ts";
import { DeletedError } from "../store/models.ts";
import type { Token } from "../store/revisions/registry.ts";
import type { Reading, Revision } from "../store/reading.ts";
import { isRevisionThere } from "../store/revisions/consistent-read.ts";
import type { Store } from "../store/store.ts";
import { giveTurn } from "../store/turns.ts";
import { callerWith } from "./callers.ts";
import type { Exchange } from "./exchange.ts";

/** The maximum number of concurrent downloads. Each keeps a consistent read open until its client has received everything. */
const MOST_DOWNLOADS = 16;
/** The maximum number of concurrent downloads per caller, so that others can download too. */
const MOST_FOR_ONE = 2;

export class Downloads {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** Counts a download. Call the result when the download ends. Throws 503 if there are too many. */
  begin(caller: Token): () => void {
    const name = callerWith(caller);
    const own = this.#open.get(name) ?? 0;
    if (this.#all >= MOST_DOWNLOADS || own >= MOST_FOR_ONE) {
      throw new ApiError("unavailable", "Too many files are being downloaded; try again.", {
        "retry-after": "5",
      });
    }
    this.#count(name, 1);
    let over = false;
    return () => {
      if (!over) this.#count(name, -1);
      over = true;
    };
  }

  #count(name: string, by: 1 | -1): void {
    const own = (this.#open.get(name) ?? 0) + by;
    if (own === 0) this.#open.delete(name);
    else this.#open.set(name, own);
    this.#all += by;
  }
}

/**
 * The file as a stream, which ends when the connection ends. `counted` is called when the stream has ended. The first
 * part is made before, so that an error in it can set the status of the answer.
 */
export async function openFile(
  store: Store,
  file: File,
  at: Revision,
  exchange: Exchange,
  counted: () => void,
): Promise<Readable> {
  const { socket } = exchange.request.raw;
  const parts = partsOf(store, file, at, exchange);
  const over = async () => {
    await parts.return();
    counted();
  };
  const first = await parts.next().catch(async (error: unknown) => {
    await over();
    throw error;
  });
  const stream = Readable.from(joined(first, parts), { objectMode: false, highWaterMark: 1 << 16 });
  endWith(socket, stream, over);
  return stream;
}

/**
 * Ends a stream when its connection ends, and calls `over` when the stream has ended. Node does not end it if the
 * answer waits for an earlier one on the same connection (pipelining).
 */
function endWith(socket: Socket, stream: Readable, over: () => Promise<void>): void {
  const end = () => stream.destroy();
  socket.once("close", end);
  stream.once("close", () => {
    socket.off("close", end);
    void over();
  });
  if (socket.destroyed) end();
}

async function* joined(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/**
 * The parts of a file from one consistent read, which no import changes. An error ends the answer before its end, so
 * that no client takes the file for complete.
 */
async function* partsOf(
  store: Store,
  file: File,
  at: Revision,
  exchange: Exchange,
): AsyncGenerator<string, void> {
  await using reader = await store.engine.view();
  if (!(await isRevisionThere(reader, at))) {
    throw new DeletedError();
  }
  for await (const text of textsOf(file, store.reading(at, reader), exchange)) {
    if (text !== "") yield text;
    await giveTurn();
  }
}

async function* textsOf(file: File, reading: Reading, exchange: Exchange): AsyncGenerator<string> {
  if ("texts" in file) return yield* file.texts(reading);
  let head = BOM + csvLines([...(await file.head(reading)), file.columns]);
  exchange.rows = 0;
  for await (const rows of file.rows(reading)) {
    exchange.rows += rows.length;
    yield head + csvLines(rows);
    head = "";
  }
  yield head;
}
