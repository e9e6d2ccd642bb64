import { connect, type Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const EMPTY = Buffer.alloc(0);
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * A keep-alive connection with one request at a time. It parses only the status and Content-Length of a response. Any
 * response other than a 200 with a length is an error, because it would falsify the figures.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #take: () => string | undefined;
  readonly #done: () => void;
  readonly #fail: (error: Error) => void;
  /** The bytes of the response that are still to come; -1 until its header is complete. */
  #remaining = -1;
  #head = EMPTY;
  #closed = false;

  /** `take` returns the next request, or `undefined` to stop; `done` is called after each response. */
  constructor(
    host: string,
    port: number,
    take: () => string | undefined,
    done: () => void,
    fail: (error: Error) => void,
  ) {
    this.#take = take;
    this.#done = done;
    this.#fail = fail;
    const callback = (size: number, buffer: Uint8Array): boolean => {
      this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, size));
      return true;
    };
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      onread: { buffer: Buffer.alloc(1 << 16), callback },
    });
    this.#socket.on("connect", () => this.#ask());
    this.#socket.on("error", fail);
    this.#socket.on("close", () => {
      if (!this.#closed) fail(new Error("the server closed a connection"));
    });
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #ask(): void {
    const request = this.#take();
    if (request !== undefined) this.#socket.write(request, "latin1");
  }

  #read(chunk: Buffer): void {
    if (this.#remaining === -1) this.#readHead(chunk);
    else this.#remaining -= chunk.length;
    if (this.#remaining === 0) {
      this.#remaining = -1;
      this.#done();
      this.#ask();
    }
  }

  #readHead(chunk: Buffer): void {
    const head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = Buffer.from(head);
      return;
    }
    const text = head.toString("latin1", 0, end);
    const length = LENGTH.exec(text)?.[1];
    if (!text.startsWith("HTTP/1.1 200 ") || length === undefined) {
      this.#fail(new Error(`not a 200 with a length: ${head.toString("utf8", 0, end + 400)}`));
      this.close();
      return;
    }
    this.#head = EMPTY;
    this.#remaining = end + HEAD_END.length + Number(length) - head.length;
  }
}
