import { once } from "node:events";
import { Agent, createServer, request, type ServerResponse } from "node:http";

/** A load balancer for several servers. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
  /** Its certificate, if it speaks TLS. */
  readonly certificate?: string;
}

/**
 * Sends requests to the servers in turn. If a server cannot be reached or answers 503, tries the next one, as with
 * `proxy_next_upstream error http_503` of nginx and `retry-on` of HAProxy.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((asked, answer) => {
    const start = turn++;
    const pass = (tries: number) => {
      const last = tries === ports.length;
      const port = ports[(start + tries) % ports.length] ?? 0;
      const sent = request(
        { host: "127.0.0.1", port, agent, method: asked.method, path: asked.url, headers: asked.headers },
        (response) => {
          if (response.statusCode === 503 && !last) {
            response.resume();
            return pass(tries + 1);
          }
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
          response.on("error", () => answer.destroy());
        },
      );
      sent.on("error", () => (last ? fail(answer) : pass(tries + 1)));
      sent.end();
    };
    pass(0);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function fail(answer: ServerResponse): void {
  if (!answer.headersSent) answer.writeHead(502);
  answer.end();
}
