import { acme } from "../examples/acme.ts";
import { sqlitePlace, World } from "../world.ts";

/** Acme, served on a port as `npm start` does it. */
export interface Served {
  readonly world: World;
  /** What the examples of docs/api.md take from the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function serveAcme(): Promise<Served> {
  const world = await World.open(sqlitePlace);
  await world.import(acme);
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const environment = {
    ROLEBOOK_URL: `http://127.0.0.1:${world.app.addresses()[0]?.port}`,
    ROLEBOOK_TOKEN: await world.token("acme"),
  };
  return { world, environment };
}
