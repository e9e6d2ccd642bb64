/**
 * Node's `node:http`. An `import` of that module also compiles Node's `fetch` and WebSocket, which takes twice as long as
 * Node itself needs to start (docs/decisions/0014-sources-without-types.md).
 */
export const { createServer, METHODS, ServerResponse } = process.getBuiltinModule("node:http");
export type ServerResponse = InstanceType<typeof ServerResponse>;
