import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A TCP proxy that can simulate network failures. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** The number of connections so far; they are numbered from 0. */
  connections(): number;
  /** Lets another server take over: new connections lead to `port`, and those that there are stay. */
  lead(port: number): void;
  /** Stops forwarding on connection `index`, in both directions, without closing it. */
  hold(index: number): void;
  /** Stops forwarding on all connections, also on new ones, which are still accepted. `release` resumes. */
  holdAll(): void;
  release(): void;
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1 and forwards to `port`. */
export async function startProxy(port: number): Promise<Proxy> {
  const pairs: [Socket, Socket][] = [];
  const held = new Set<number>();
  let all = false;
  let leadsTo = port;
  const stop = (pair: [Socket, Socket]) => pair.forEach((socket) => socket.pause());
  const server = createServer((near) => {
    const far = connect(leadsTo, "127.0.0.1");
    const index = pairs.push([near, far]) - 1;
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (data) => void (to.writable && to.write(data)));
      from.on("close", () => void (held.has(index) || all || to.destroy()));
      from.on("error", () => {});
    };
    pass(near, far);
    pass(far, near);
    if (all) stop([near, far]);
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
    hold(index) {
      held.add(index);
      const pair = pairs[index];
      if (pair !== undefined) stop(pair);
    },
    holdAll() {
      all = true;
      pairs.forEach(stop);
    },
    release() {
      all = false;
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
