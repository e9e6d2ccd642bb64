import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../domain/error.ts";
import type { File, FileOperation } from "../../explorer/server/operation.ts";
import { BOM, csvLines } from "../../operations/csv.ts";
import { isRevisionThere } from "../../store/revisions/consistent-read.ts";
import type { Revision } from "../../store/reading.ts";
import { Turns } from "../../store/turns.ts";
import type { Downloads } from "./explorer-downloads.ts";
import { READ_FROM, askingOf, lookOf, organizationOf, wantedBy } from "./explorer-asking.ts";
import { callerOf, queryOf } from "../admission/guards.ts";
import { parseQuery } from "../request/query.ts";
import type { Service } from "../service.ts";

/** Answers with a CSV file, in parts. */
export async function sendFile(
  service: Service,
  operation: FileOperation,
  downloads: Downloads,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const query = parseQuery(queryOf(request.originalUrl), [...operation.parameters, ...READ_FROM]);
  const { rest, ...wanted } = wantedBy(query);
  const ask = operation.ask(rest);
  const organization = await organizationOf(service, caller);
  const look = await lookOf(service, organization, caller, wanted);
  const { at } = look;
  const file = await ask(askingOf(service, look, caller));
  if (request.method === "HEAD") return describe(reply, at).send();
  const counted = downloads.begin(caller.id);
  const { socket } = request.raw;
  // A connection without traffic is closed after a while. A part that takes long to make is not the client's silence.
  const parts = partsOf(service, file, at, () => socket.setTimeout(socket.timeout ?? 0));
  const over = async () => {
    await parts.return();
    counted();
  };
  // The first part is made before the status is sent, so that an error in it can set the status.
  const first = await parts.next().catch(async (error: unknown) => {
    await over();
    throw error;
  });
  const stream = Readable.from(joined(first, parts), { objectMode: false, highWaterMark: 1 << 16 });
  endWith(socket, stream, over);
  return describe(reply, at).send(stream);
}

function describe(reply: FastifyReply, at: Revision): FastifyReply {
  return reply.headers({
    "content-type": "text/csv; charset=utf-8",
    "x-rolebook-revision": String(at.revision),
    "last-modified": new Date(at.importedAt).toUTCString(),
    "cache-control": "private, no-store",
    vary: "Authorization",
  });
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
  { store }: Service,
  file: File,
  at: Revision,
  working: () => void,
): AsyncGenerator<string, void> {
  const queue = new Channel<string>();
  const done = store.engine
    .consistently(async (reader) => {
      if (!(await isRevisionThere(reader, at))) {
        throw new ApiError("unavailable", "This revision was just deleted; try again.", {
          "retry-after": "1",
        });
      }
      const reading = store.reading(at, reader);
      const turns = new Turns();
      let text = BOM + csvLines([...(await file.head(reading)), file.columns]);
      for await (const rows of file.rows(reading)) {
        working();
        text += csvLines(rows);
        if (!(await queue.give(text))) return;
        text = "";
        await turns.give();
      }
      if (text !== "") await queue.give(text);
    })
    .then(
      () => queue.end(),
      (error: unknown) => queue.end(error),
    );
  try {
    yield* queue.take();
  } finally {
    queue.leave();
    await done;
  }
}

class Channel<Value> {
  #offered: { value: Value; taken: (wanted: boolean) => void } | undefined;
  #ended = false;
  #error: unknown;
  #left = false;
  #wake = () => {};

  /** Resolves when the consumer has taken the value: to `true` if it wants another one. */
  give(value: Value): Promise<boolean> {
    if (this.#left) return Promise.resolve(false);
    return new Promise((taken) => {
      this.#offered = { value, taken };
      this.#wake();
    });
  }

  end(error?: unknown): void {
    this.#ended = true;
    this.#error = error;
    this.#wake();
  }

  /** Called by the consumer when it wants no more values. */
  leave(): void {
    this.#left = true;
    this.#offered?.taken(false);
    this.#offered = undefined;
  }

  async *take(): AsyncGenerator<Value, void> {
    for (;;) {
      if (this.#offered === undefined && !this.#ended) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      const offered = this.#offered;
      if (offered !== undefined) {
        this.#offered = undefined;
        let wanted = false;
        try {
          yield offered.value;
          wanted = true;
        } finally {
          // A consumer that stops here stops the producer too.
          offered.taken(wanted);
        }
      } else if (this.#error !== undefined) throw this.#error;
      else if (this.#ended) return;
    }
  }
}
