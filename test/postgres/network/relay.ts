import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A network between a program and a server that takes time. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** How often something was asked after all that was asked before had begun to be answered. */
  rounds: number;
  close(): Promise<void>;
}

/** Sessions that look at the server in the background say so as they begin; requests do so where those are late. */
const WATCHING = "rolebook watch";
const PROBE = "rolebook_probe";

/** Listens on a port of 127.0.0.1 and passes what comes to `port` there, in either direction `delay` milliseconds later. */
export async function startRelay(port: number, delay: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const late = lateness(delay);
  let isAnswered = true;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    let isWatching = false;
    const pass = (from: Socket, to: Socket, note: (data: Buffer | string) => void) => {
      sockets.add(from);
      from.on("data", (data) => {
        note(data);
        late(() => to.writable && to.write(data));
      });
      from.on("close", () => late(() => to.destroy()));
      from.on("error", () => {});
    };
    pass(near, far, (data) => {
      isWatching ||= data.includes(WATCHING);
      if (isWatching || data.includes(PROBE) || !isAnswered) return;
      isAnswered = false;
      relay.rounds++;
    });
    pass(far, near, () => {
      if (!isWatching) late(() => (isAnswered = true));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const relay: Relay = {
    port: address.port,
    rounds: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
    [Symbol.asyncDispose]: () => relay.close(),
  };
  return relay;
}

/** Runs things in turn, each `delay` milliseconds later: timers alone are not exact to parts of one. */
function lateness(delay: number): (run: () => unknown) => void {
  const due: { readonly at: number; readonly run: () => unknown }[] = [];
  const look = () => {
    for (let next = due[0]; next !== undefined && next.at <= performance.now(); next = due[0]) {
      due.shift();
      next.run();
    }
    if (due.length > 0) setImmediate(look);
  };
  return (run) => {
    if (due.push({ at: performance.now() + delay, run }) === 1) setImmediate(look);
  };
}
