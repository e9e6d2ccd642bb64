import { createServer } from "node:net";
import { once } from "node:events";

const LOWEST = 20_000;
const COUNT = 12_000;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/**
 * A free port on 127.0.0.1, below the range of outgoing connections. Within that range, a client that retries while its
 * server is down could get the server's port and connect to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${LOWEST} to ${LOWEST + COUNT - 1}`);
}
