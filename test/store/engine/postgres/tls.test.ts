import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, statement } from "../../../../src/store/engine/engine.ts";
import { migrateDatabase, openEngine } from "../../../../src/store/engine/open.ts";
import { type PostgresServer, startPostgres } from "../../../postgres/server/server.ts";

/** `sure` requires TLS, with a certificate for localhost; `plain` has no TLS. */
let sure: PostgresServer;
let plain: PostgresServer;

beforeAll(async () => {
  [sure, plain] = await Promise.all([
    startPostgres({ tls: { required: true, hosts: ["localhost"] } }),
    startPostgres(),
  ]);
  for (const server of [sure, plain]) await migrateDatabase(server.url());
});
afterAll(async () => {
  await Promise.all([sure.close(), plain.close()]);
});

const SSL = statement<[encrypted: number]>(
  () => "SELECT CASE WHEN ssl THEN 1 ELSE 0 END FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
);

async function encrypted(url: string): Promise<boolean> {
  let engine: Engine | undefined;
  try {
    engine = await openEngine(url);
    return (await engine.read(SSL))[0]?.[0] === 1;
  } finally {
    await engine?.close();
  }
}

/** `%` in parameters stands for the server's certificate file. */
function url(server: PostgresServer, host: string, parameters: string): string {
  const file = encodeURIComponent(sure.certificateFile ?? "");
  return `${server.url()}?${parameters.replace("%", file)}`.replace("127.0.0.1", host);
}

test.each([
  ["127.0.0.1", "sslmode=require"],
  ["127.0.0.1", "sslmode=prefer"],
  ["127.0.0.1", "sslmode=allow"],
  ["127.0.0.1", ""],
  ["127.0.0.1", "sslmode=verify-ca&sslrootcert=%"],
  ["127.0.0.1", "sslmode=require&sslrootcert=%"],
  ["localhost", "sslmode=verify-full&sslrootcert=%"],
])("a server with TLS at %s is reached with %s, encrypted", async (host, parameters) => {
  expect(await encrypted(url(sure, host, parameters))).toBe(true);
});

test.each([
  ["127.0.0.1", "sslmode=disable", /no encryption/],
  ["127.0.0.1", "sslmode=verify-full&sslrootcert=%", /does not match/],
  ["localhost", "sslmode=verify-full", /self.signed/],
  ["localhost", "sslmode=verify-ca", /self.signed/],
  ["localhost", "sslmode=verify-full&sslrootcert=system", /self.signed/],
])("a server with TLS at %s is not reached with %s", async (host, parameters, reason) => {
  await expect(encrypted(url(sure, host, parameters))).rejects.toThrow(reason);
});

test.each(["sslmode=disable", "sslmode=prefer", "sslmode=allow", ""])(
  "a server without TLS is reached with %s",
  async (parameters) => {
    expect(await encrypted(url(plain, "127.0.0.1", parameters))).toBe(false);
  },
);

test.each(["sslmode=require", "sslmode=verify-ca&sslrootcert=%", "sslmode=verify-full&sslrootcert=%"])(
  "a server without TLS is not reached with %s",
  async (parameters) => {
    await expect(encrypted(url(plain, "localhost", parameters))).rejects.toThrow("does not support SSL");
  },
);
