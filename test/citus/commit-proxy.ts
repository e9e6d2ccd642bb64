import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A proxy between the coordinator and a worker, which reads the messages to the worker. */
export interface CommitProxy extends AsyncDisposable {
  readonly port: number;
  /** Breaks each connection that is about to commit a prepared transaction, and drops that message. */
  cutCommits: boolean;
  /** The number of commits that were dropped. */
  cut: number;
  /** Stops forwarding on all connections, also on new ones, without closing them: packets are lost. */
  dropAll(): void;
  /** Ends all connections that {@link dropAll} stopped, and forwards again. */
  recover(): void;
}

/** A message of the client that runs one statement: its type is Q. */
const COMMIT = /^Q.{4}COMMIT PREPARED /s;

/** Listens on a port of 127.0.0.1 and forwards to `port`. */
export async function startCommitProxy(port: number): Promise<CommitProxy> {
  const sockets = new Set<Socket>();
  let isDropping = false;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const each of [near, far]) {
      sockets.add(each);
      each.on("error", () => {}).on("close", () => sockets.delete(each));
      if (isDropping) each.pause();
    }
    near.on("close", () => isDropping || far.destroy());
    far.on("close", () => isDropping || near.destroy());
    far.on("data", (data) => near.writable && near.write(data));
    const messages = new Messages();
    near.on("data", (data) => {
      for (const message of messages.of(Buffer.from(data))) {
        if (proxy.cutCommits && COMMIT.test(message.toString("latin1"))) {
          proxy.cut++;
          near.destroy();
          far.destroy();
          return;
        }
        if (far.writable) far.write(message);
      }
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const proxy: CommitProxy = {
    port: address.port,
    cutCommits: false,
    cut: 0,
    dropAll() {
      isDropping = true;
      for (const socket of sockets) socket.pause();
    },
    recover() {
      isDropping = false;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;

/** Divides what a client sends into the messages of PostgreSQL's protocol. */
class Messages {
  #rest = Buffer.alloc(0);
  /** The first message, and requests for encryption before it, have no type. */
  #isTyped = false;

  /** The messages that are complete with these bytes. */
  *of(data: Buffer): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const type = this.#isTyped ? 1 : 0;
      if (this.#rest.length < type + 4) return;
      const end = type + this.#rest.readInt32BE(type);
      if (this.#rest.length < end) return;
      const message = this.#rest.subarray(0, end);
      const code = end >= 8 ? message.readInt32BE(4) : 0;
      this.#isTyped ||= code !== SSL_REQUEST && code !== GSS_REQUEST;
      this.#rest = this.#rest.subarray(end);
      yield message;
    }
  }
}
