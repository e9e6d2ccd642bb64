/**
 * The limit server, with which Rolebook is compared: a bare `node:http` server that answers every request with the next
 * of some responses in memory.
 *
 *     node bench/harness/limit.ts --port 3001 --responses FILE
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { responsesIn } from "./capture.ts";

const { values } = parseArgs({ options: { port: { type: "string" }, responses: { type: "string" } } });
if (values.port === undefined || values.responses === undefined) {
  console.error("usage: node bench/harness/limit.ts --port PORT --responses FILE");
  process.exit(2);
}

const responses = responsesIn(values.responses).map(({ headers, body }) => ({
  headers: [...headers],
  body: Buffer.from(body),
}));
let turn = 0;

createServer((_request, answer) => {
  const response = responses[turn];
  turn = (turn + 1) % responses.length;
  if (response === undefined) throw new Error("the file of responses is empty");
  answer.writeHead(200, response.headers);
  answer.end(response.body);
}).listen(Number(values.port), "127.0.0.1");
