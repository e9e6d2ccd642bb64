import { existsSync, readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unprivileged } from "./identity.ts";
import { isRunning } from "./running.ts";
import { startPostgres, type PostgresServer } from "./server.ts";
import { caughtUp, startStandby } from "./standby.ts";

describe("a server", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: 20 } });
  });
  afterAll(() => server.close());

  test("is a PostgreSQL 18 that sorts text by a language and not by bytes", async () => {
    const url = await server.createDatabase(`Straße "1" %`);
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query(
        `SELECT current_setting('server_version') LIKE '18.%' AS eighteen, 'a' < 'B' AS language,
          'a' COLLATE "C" < 'B' COLLATE "C" AS bytes, current_setting('server_encoding') AS encoding,
          current_setting('max_connections') AS connections, current_database() AS database`,
      );
      const expected = { eighteen: true, language: true, bytes: false, encoding: "UTF8", connections: "20" };
      expect(rows).toEqual([{ ...expected, database: `Straße "1" %` }]);
    } finally {
      await client.end();
    }
  });

  test("refuses a wrong password", async () => {
    const wrong = new Client({
      connectionString: server.url("postgres", { user: "postgres", password: "wrong" }),
    });
    await expect(wrong.connect()).rejects.toThrow("password authentication failed");
  });

  test("is killed and restarted on the same port, and keeps committed data", async () => {
    await server.query(`CREATE TABLE kept AS SELECT 7 AS value`);
    await server.kill9();
    expect(server.pid()).toBeUndefined();
    await expect(server.query(`SELECT 1`)).rejects.toThrow("ECONNREFUSED");
    await server.start();
    expect(await server.query(`SELECT value FROM kept`)).toEqual([{ value: 7 }]);
    expect(server.log()).toContain("not properly shut down");
    await server.stop();
    await server.start();
    expect(await server.query(`SELECT value FROM kept`)).toEqual([{ value: 7 }]);
  });

  test("accepts connections and does not answer while it is paused", async () => {
    server.pause();
    try {
      const client = new Client({ connectionString: server.url(), connectionTimeoutMillis: 300 });
      await expect(client.connect()).rejects.toThrow("timeout");
    } finally {
      server.resume();
    }
    expect(await server.query(`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });
});

describe("a server with TLS", () => {
  let primary: PostgresServer;

  beforeAll(async () => {
    primary = await startPostgres({ tls: { required: true, hosts: ["localhost"] } });
  });
  afterAll(() => primary.close());

  test("accepts only TLS, with a certificate for the host or not", async () => {
    if (primary.certificateFile === undefined) throw new Error("no certificate");
    const ca = readFileSync(primary.certificateFile, "utf8");
    const { port, user, password } = primary;
    const login = { port, user, password, database: "postgres" };

    const trusted = new Client({ ...login, host: "localhost", ssl: { ca } });
    await trusted.connect();
    const { rows } = await trusted.query(`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`);
    await trusted.end();
    expect(rows).toEqual([{ ssl: true }]);

    await refuses({ ...login, host: "127.0.0.1", ssl: false });
    await refuses({ ...login, host: "localhost", ssl: true });
    await refuses({ ...login, host: "127.0.0.1", ssl: { ca } });
  });

  test("has a read-only standby, which is promoted when the primary is killed", async () => {
    await primary.query(`CREATE TABLE counted AS SELECT 1 AS value`);
    await using standby = await startStandby(primary);
    await primary.query(`INSERT INTO counted VALUES (2)`);
    await caughtUp(standby, primary);
    const sum = `SELECT sum(value)::int AS sum FROM counted`;
    expect(await standby.query(sum)).toEqual([{ sum: 3 }]);
    await expect(standby.query(`INSERT INTO counted VALUES (3)`)).rejects.toThrow("read-only");
    await expect(primary.promote()).rejects.toThrow("recovery is not in progress");

    await primary.kill9();
    expect(await standby.query(sum)).toEqual([{ sum: 3 }]);
    await standby.promote();
    await standby.query(`INSERT INTO counted VALUES (4)`);

    // The promoted standby can have standbys too.
    await using next = await startStandby(standby);
    await caughtUp(next, standby);
    expect(await next.query(sum)).toEqual([{ sum: 7 }]);
  });
});

test("as an ordinary user it starts directly; it ends when the process that started it is killed", async () => {
  const script = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, "server.ts"))};
    const server = await startPostgres();
    console.log(JSON.stringify([process.getuid() !== 0, server.pid(), server.data]));
    setInterval(() => {}, 1_000);`;
  const command = unprivileged(process.execPath, ["--input-type=module", "--eval", script]);
  const owner = spawn(command.file, command.args, {
    ...command.options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (owner.stdout === null) throw new Error("no output");
  const [line]: unknown[] = await once(owner.stdout, "data");
  const [ordinary, pid, data]: [boolean, number, string] = JSON.parse(String(line));
  expect(ordinary).toBe(true);
  expect(isRunning(pid)).toBe(true);
  owner.kill("SIGKILL");
  await expect.poll(() => isRunning(pid) || existsSync(dirname(data)), { timeout: 10_000 }).toBe(false);
});

async function refuses(options: ConstructorParameters<typeof Client>[0]): Promise<void> {
  const client = new Client(options);
  await expect(client.connect()).rejects.toThrow(/no pg_hba.conf entry|self-signed|does not match/);
}
