import { Client } from "pg";
import { openEngine } from "../../../src/store/engine/open.ts";
import { Store } from "../../../src/store/store.ts";
import { createToken, listTokens, revokeToken } from "../../../src/store/tokens.ts";
import { type OpenPlace, World } from "../../world.ts";
import { type Proxy, startProxy } from "./proxy.ts";

/** Two programs on one database: one serves, and reaches the database through a proxy; the other runs commands. */
export interface Programs extends AsyncDisposable {
  readonly serving: World;
  readonly command: World;
  readonly proxy: Proxy;
  /** A session on the same tables that belongs to neither program. */
  readonly outside: Client;
  /** Creates a token with the program for commands. `revoke` revokes it there. */
  token(organization: string, member?: string): Promise<{ token: string; revoke(): Promise<void> }>;
  /** Lets the serving program's session that asks for changes die without a sign. */
  holdAsking(): Promise<void>;
  /** Ends the database sessions that ask for changes. Returns their number. */
  endAsking(): Promise<number>;
}

/** `open` makes places on the PostgreSQL server that listens on `port`. */
export async function startPrograms(open: OpenPlace, port: number): Promise<Programs> {
  const place = await open();
  const proxy = await startProxy(port);
  const nothing = async () => {};
  const through = `${place.url.replace(`:${port}/`, `:${proxy.port}/`)}&application_name=serving`;
  const serving = await World.open(async () => ({ url: through, dispose: nothing }));
  const command = new World(place, new Store(await openEngine(place.url)), {});
  const outside = new Client({ connectionString: place.url });
  await outside.connect();
  let made = 0;
  return {
    serving,
    command,
    proxy,
    outside,
    async token(organization, member) {
      const name = `token ${made++}`;
      const token = await createToken(command.store, { organization, member, name });
      const { engine } = command.store;
      const revoke = async () => {
        const found = (await listTokens(engine)).find((each) => each.name === name);
        await revokeToken(engine, found?.id ?? "");
      };
      return { token, revoke };
    },
    async holdAsking() {
      const { rows } = await outside.query<{ client_port: number }>(
        "SELECT client_port FROM pg_stat_activity WHERE application_name = 'serving changes'",
      );
      proxy.hold(rows[0]?.client_port ?? 0);
    },
    async endAsking() {
      const { rows } = await outside.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '% changes'",
      );
      return rows.length;
    },
    async [Symbol.asyncDispose]() {
      proxy.release();
      await outside.end();
      await serving.close();
      await command.close();
      await proxy.close();
    },
  };
}
