import { acme } from "../examples/acme.ts";
import { sqlitePlace, World } from "../world.ts";

/** Acme, served as by `npm start`. */
export interface Served {
  readonly world: World;
  /** The environment of the examples in docs/api.md. */
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
