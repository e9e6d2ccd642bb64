/** `rolebook diff`, the whole command, for two changes. */
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { FOREVER } from "../../src/store/schema/as-of.ts";
import { ORGANIZATION } from "../data/identity.ts";
import type { Bench } from "../harness/bench.ts";
import { type Ran, timed } from "../harness/command.ts";
import { SERVER_CORE } from "../harness/cores.ts";
import { pieces } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { MAIN } from "../harness/rolebook.ts";
import { copied, look, type World } from "../harness/world.ts";

const MEMBERSHIPS = 10;

/** Each difference is between a revision and the next one. No change measures the command itself. */
export async function differences(bench: Bench, put: Put): Promise<void> {
  for (const original of bench.worlds) {
    using world = copied(original, "diff");
    let from = world.revision;
    const cases = {
      nothing: [],
      "a permission of the largest team on half of the spaces": permission(world),
      "ten memberships": memberships(world),
    };
    for (const [name, records] of Object.entries(cases)) {
      const to = records.length === 0 ? from : await apply(world, records);
      const args = [
        "diff",
        "--database",
        world.url,
        "--from",
        String(from),
        "--to",
        String(to),
        "--format",
        "ndjson",
      ];
      const rounds: Ran[] = [];
      while (rounds.length < bench.rounds) rounds.push(await timed({ core: SERVER_CORE }, MAIN, ...args));
      const contents = rounds[0]?.stdout.split("\n").filter((line) => line !== "").length ?? 0;
      put(world.size, name, "contents that differ", contents);
      put(
        world.size,
        name,
        "CPU seconds",
        rounds.map(({ cpuSeconds }) => cpuSeconds),
      );
      put(
        world.size,
        name,
        "MB",
        rounds.map(({ peakRss }) => peakRss / 2 ** 20),
      );
      from = to;
    }
  }
}

function permission({ marks }: World): object[] {
  const { halfCollection: collection, everyoneTeam: team } = marks;
  return [{ object: "permission", collection, team, permission: "review" }];
}

/** Ten members who are in no team join ordinary teams. */
function memberships({ path }: World): object[] {
  const database = look(path);
  try {
    const ids = (sql: string) =>
      database
        .prepare(sql)
        .all(MEMBERSHIPS)
        .map((row) => String(row["id"]));
    const teams = ids(`SELECT id FROM team WHERE until = ${FOREVER} ORDER BY members, id LIMIT ? OFFSET 5`);
    const members = ids(
      `SELECT id FROM member WHERE until = ${FOREVER} AND teams = '' AND role > 0 ORDER BY id LIMIT ?`,
    );
    return teams.map((team, place) => ({ object: "teamMember", team, user: members[place], role: "member" }));
  } finally {
    database.close();
  }
}

/** Applies a change. Returns the number of its revision. */
async function apply({ url }: World, records: readonly object[]): Promise<number> {
  const lines = [{ object: "changes", organization: ORGANIZATION }, ...records];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const engine = await openEngine(url);
  try {
    const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
    const { revision } = await applyChange(engine, change, { allowRemovals: true });
    if (revision === undefined) throw new Error(`The change made no revision: ${text}`);
    return revision;
  } finally {
    await engine.close();
  }
}
