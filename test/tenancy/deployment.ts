import { Line } from "../hostile/ask.ts";
import { Program } from "../crash/program.ts";
import { type OpenPlace, type Place, PUBLIC_URL, sqlitePlace, World } from "../world.ts";
import type { Ask } from "./scenario.ts";

/** A database with several servers. */
export interface Deployment extends AsyncDisposable {
  /** The server through which everything is changed. It also answers requests. */
  readonly world: World;
  readonly servers: readonly Ask[];
}

/** Two apps in this process with separate connections: one with caches and one without. */
export async function twoApps(openPlace: OpenPlace = sqlitePlace): Promise<Deployment> {
  const place = await openPlace();
  const shared: Place = { url: place.url, dispose: async () => {} };
  const world = await World.open(async () => shared);
  const bare = await World.open(async () => shared, { cacheBytes: 0 });
  return {
    world,
    servers: [
      (path, token, headers) => world.get(path, token, headers),
      (path, token, headers) => bare.get(path, token, headers),
    ],
    [Symbol.asyncDispose]: async () => {
      await bare.close();
      await world.close();
      await place.dispose();
    },
  };
}

/** Two processes of `rolebook serve`, and a third connection that changes data. */
export async function twoProcesses(openPlace: OpenPlace = sqlitePlace): Promise<Deployment> {
  const place = await openPlace();
  const shared: Place = { url: place.url, dispose: async () => {} };
  const world = await World.open(async () => shared);
  const programs = [1, 2].map(
    () =>
      new Program(["serve", "--port", "0", "--database", place.url], {
        environment: { ROLEBOOK_PUBLIC_URL: PUBLIC_URL },
      }),
  );
  const lines: Line[] = [];
  for (const program of programs) {
    const [, port = ""] = await program.says(/serves .* at http:\/\/127\.0\.0\.1:(\d+)/);
    lines.push(new Line(Number(port)));
  }
  return {
    world,
    servers: lines.map(
      (line): Ask =>
        (target, token, headers = {}) =>
          line.ask({ method: "GET", target, headers: { authorization: `Bearer ${token}`, ...headers } }),
    ),
    [Symbol.asyncDispose]: async () => {
      for (const line of lines) line.close();
      for (const program of programs) program.kill();
      await Promise.all(programs.map((program) => program.ended));
      await world.close();
      await place.dispose();
    },
  };
}
