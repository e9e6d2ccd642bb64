import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the proxy sends in place of a correct answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Closes the connection before or during the answer. */
  | "close"
  | "cut";

export interface Flaky {
  readonly url: string;
  /** The requested paths with queries, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A proxy that applies `faults[n]` to its n-th request and forwards all others. */
export async function flaky(target: string, faults: Readonly<Record<number, Fault>>): Promise<Flaky> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const fault = faults[asked.push(request.url ?? "") - 1];
    void answer(target, fault, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port }: AddressInfo = addressOf(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function answer(
  target: string,
  fault: Fault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (fault === "close") {
    request.socket.destroy();
    return;
  }
  if (typeof fault === "object") {
    response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
    return;
  }
  const { authorization = "" } = request.headers;
  const found = await fetch(target + (request.url ?? ""), { headers: { authorization } });
  const body = await found.text();
  response.writeHead(found.status, {
    "content-length": Buffer.byteLength(body),
    "x-rolebook-revision": found.headers.get("x-rolebook-revision") ?? "",
  });
  if (fault !== "cut") {
    response.end(body);
    return;
  }
  response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === "object" && address !== null) return address;
  throw new Error("the server has no port");
}
