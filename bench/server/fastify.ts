/**
 * The limit server behind Fastify: sends the same responses as `limit.ts`, routed by the framework, without any hook.
 *
 *     node bench/server/fastify.ts --port 3001 --responses FILE
 */
import { parseArgs } from "node:util";
import Fastify from "fastify";
import { responsesOf } from "../work/responses.ts";

const { values } = parseArgs({ options: { port: { type: "string" }, responses: { type: "string" } } });
if (values.port === undefined || values.responses === undefined) {
  console.error("usage: node bench/server/fastify.ts --port PORT --responses FILE");
  process.exit(2);
}

const responses = responsesOf(values.responses).map(({ headers, body }) => ({
  headers: Object.fromEntries(pairs(headers)),
  body: Buffer.from(body),
}));
let turn = 0;

const app = Fastify({ logger: false });
app.get("/*", (_request, reply) => {
  const response = responses[turn];
  turn = (turn + 1) % responses.length;
  if (response === undefined) throw new Error("the file of responses is empty");
  void reply.headers(response.headers).send(response.body);
});
await app.listen({ port: Number(values.port), host: "127.0.0.1" });

function pairs(flat: readonly string[]): [name: string, value: string][] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""]] : []));
}
