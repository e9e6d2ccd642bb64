import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP relay that simulates a slow network between a program and a server. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** The number of round trips: how often something was sent after everything sent before it began to be answered. */
  rounds: number;
  close(): Promise<void>;
}

/** The name of the session that asks for changes: one question serves all requests of some time. */
const ASKING = "rolebook changes";
/** The statement with which a new connection is identified. */
const QUESTION = "rolebook_changes";

/** Listens on a port of 127.0.0.1 and forwards to `port`, with a delay of `delay` milliseconds in each direction. */
export async function startRelay(port: number, delay: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const late = lateness(delay);
  let isAnswered = true;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    let isAsking = false;
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
      isAsking ||= data.includes(ASKING);
      if (isAsking || data.includes(QUESTION) || !isAnswered) return;
      isAnswered = false;
      relay.rounds++;
    });
    pass(far, near, () => {
      if (!isAsking) late(() => (isAnswered = true));
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

/** Runs tasks in order, each `delay` milliseconds later. More precise than timers, which count whole milliseconds. */
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
