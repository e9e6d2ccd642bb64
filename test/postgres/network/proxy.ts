import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A TCP proxy that can simulate network failures. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** The number of connections so far. */
  connections(): number;
  /** Lets another server take over: new connections lead to `port`, and those that there are stay. */
  lead(port: number): void;
  /**
   * Stops forwarding on a connection, in both directions, without closing it. `clientPort` is what the server knows it
   * by, as in pg_stat_activity. Throws if there is none.
   */
  hold(clientPort: number): void;
  /** Forwards on all connections again. */
  release(): void;
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1 and forwards to `port`. */
export async function startProxy(port: number): Promise<Proxy> {
  const pairs: [Socket, Socket][] = [];
  const held = new Set<number>();
  let leadsTo = port;
  const stop = (pair: [Socket, Socket]) => pair.forEach((socket) => socket.pause());
  const server = createServer((near) => {
    const far = connect(leadsTo, "127.0.0.1");
    const index = pairs.push([near, far]) - 1;
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (data) => void (to.writable && to.write(data)));
      from.on("close", () => void (held.has(index) || to.destroy()));
      from.on("error", () => {});
    };
    pass(near, far);
    pass(far, near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const proxy: Proxy = {
    port: address.port,
    connections: () => pairs.length,
    lead(to) {
      leadsTo = to;
    },
    hold(clientPort) {
      const index = pairs.findIndex(([, far]) => far.localPort === clientPort);
      const pair = pairs[index];
      if (pair === undefined) throw new Error(`no connection from port ${clientPort}`);
      held.add(index);
      stop(pair);
    },
    release() {
      held.clear();
      for (const pair of pairs) pair.forEach((socket) => socket.resume());
    },
    async close() {
      for (const pair of pairs) pair.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
  return proxy;
}
