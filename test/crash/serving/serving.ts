import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { createToken } from "../../../src/store/tokens.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { oracle } from "../../oracle/oracle.ts";
import { Program } from "../program.ts";
import { type Ground, opened, type State, stateOf } from "../states.ts";

/** The requests that are sent to a server again and again. */
export interface Load {
  readonly token: string;
  readonly paths: readonly string[];
}

/** A token of the first organization, and the paths of all its lists. */
export async function loadFor(ground: Ground): Promise<Load> {
  const [before] = ground.states;
  const [id = ""] = organizationIds(before.records);
  const world = await opened(ground.url);
  try {
    const token = await createToken(world.store, { organization: id, name: "load" });
    const asked = oracle(before.records, { publicUrl: "" });
    return { token, paths: asked.listings(id).map((listing) => asked.path(id, listing)) };
  } finally {
    await world.close();
  }
}

/**
 * When a server is killed: after some complete answers, when the import has begun to stage its file, or when the first
 * answer has what it published.
 */
export type Moment = number | "staging" | "published";

/**
 * Kills a server while `target` is imported; with `both`, kills the import too. Returns the number of complete answers.
 * Throws if an answer is incomplete, or if the lists are of no single state.
 */
export async function killServing(
  ground: Ground,
  { token, paths }: Load,
  target: State,
  moment: Moment,
  both: boolean,
): Promise<number> {
  const server = new Program(["serve", "--port", "0", "--database", ground.url]);
  const [, address = ""] = await server.says(/serves \S+ at ([^\s"]+)/);
  const importing = new Program(["import", "--allow-removals", "--database", ground.url, target.file]);
  let whole = 0;
  const revisions = new Set<string>();
  const callers = Array.from({ length: 4 }, async (_, caller) => {
    for (let index = caller; ; index++) {
      const response = await fetch(`${address}${paths[index % paths.length] ?? ""}`, {
        headers: { authorization: `Bearer ${token}` },
      }).catch(() => undefined);
      const body = await response?.text().catch(() => undefined);
      if (response === undefined || body === undefined) return;
      // Answers may be 404, because the import may have removed the organization. Every answer is complete.
      if (response.status !== 200 && response.status !== 404) throw new Error(`${response.status}: ${body}`);
      JSON.parse(body);
      revisions.add(response.headers.get("x-rolebook-revision") ?? "");
      whole++;
    }
  });
  const hasCome = () => {
    if (whole === 0) return false;
    if (moment === "staging") return readdirSync(ground.folder).some((name) => name.includes("-staging-"));
    return moment === "published" ? revisions.size > 1 : whole >= moment;
  };
  const over = importing.ended.then(() => true);
  await expect.poll(async () => hasCome() || (await Promise.race([over, false])), { interval: 1 }).toBe(true);
  server.kill();
  if (both) importing.kill();
  await Promise.all([server.ended, importing.ended, ...callers]);
  await stateOf(ground);
  return whole;
}
