/**
 * Measures `rolebook diff` by the size of the organization, for two changes: a permission of a team of 30 % of the
 * members on the collection that contains half of the spaces, and ten memberships in teams.
 *
 *     node bench/diff.ts [--folder DIR] [--sizes S,M] [--rounds 3]
 *
 * Writes docs/performance-diff.md. Applies changes to the databases in the folder, and reverts them.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { applyChange } from "../src/snapshot/changes/apply.ts";
import { readChange } from "../src/snapshot/changes/read.ts";
import { FOREVER } from "../src/store/schema/as-of.ts";
import { openEngine } from "../src/store/engine/open.ts";
import { pieces } from "./changes/records.ts";
import { SERVER_CORE } from "./server/cores.ts";
import { ORGANIZATION } from "./data/identity.ts";
import { parseSize } from "./data/sizes.ts";
import { MAIN } from "./server/rolebook.ts";
import { spread } from "./figures/spread.ts";
import { type Ran, timed } from "./work/command.ts";
import { few, markdown } from "./work/section.ts";
import { look, makeWorld, type World } from "./work/world.ts";

const MEMBERSHIPS = 10;

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "/dev/shm/bench" },
    sizes: { type: "string", default: "S,M" },
    rounds: { type: "string", default: "3" },
  },
});

/** A change and its name; `records` are records of a change file. */
interface Change {
  readonly what: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** No change, to measure the cost of the command itself. */
function nothing(): Change {
  return { what: "nothing", records: [] };
}

function permission({ marks }: World): Change {
  const record = {
    object: "permission",
    collection: marks.halfCollection,
    team: marks.everyoneTeam,
    permission: "review",
  };
  return { what: "a permission of the largest team on half of the spaces", records: [record] };
}

/** Ten members who are in no team join ordinary teams. */
function memberships({ path }: World): Change {
  const database = look(path);
  try {
    const texts = (sql: string) =>
      database
        .prepare(sql)
        .all(MEMBERSHIPS)
        .map((row) => String(row["id"]));
    const teams = texts(`SELECT id FROM team WHERE until = ${FOREVER} ORDER BY members, id LIMIT ? OFFSET 5`);
    const members = texts(
      `SELECT id FROM member WHERE until = ${FOREVER} AND teams = '' AND role > 0 ORDER BY id LIMIT ?`,
    );
    const records = teams.map((team, place) => ({
      object: "teamMember",
      team,
      user: members[place],
      role: "member",
    }));
    return { what: "ten memberships", records };
  } finally {
    database.close();
  }
}

/** Applies a change. Returns the number of its revision. */
async function apply({ path }: World, records: readonly object[]): Promise<number> {
  const lines = [{ object: "changes", organization: ORGANIZATION }, ...records];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const engine = await openEngine(`sqlite:${path}`);
  try {
    const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
    const { revision } = await applyChange(engine, change, { allowRemovals: true });
    if (revision === undefined) throw new Error(`The change made no revision: ${text}`);
    return revision;
  } finally {
    await engine.close();
  }
}

/** The record that removes `record`: its ids, and `removed`. */
function removal(record: Readonly<Record<string, unknown>>): object {
  const names = Object.entries(record).filter(([name]) => name !== "permission" && name !== "role");
  return { ...Object.fromEntries(names), removed: true };
}

const rows = [["what changed", "size", "contents that differ", "s of CPU", "s", "MB"]];
for (const size of values.sizes.split(",")) {
  const world = await makeWorld(parseSize(size), 1, values.folder);
  let from = world.revision;
  for (const { what, records } of [nothing(), permission(world), memberships(world)]) {
    const to = records.length === 0 ? from : await apply(world, records);
    const revisions = ["--from", String(from), "--to", String(to)];
    const command = ["diff", "--database", `sqlite:${world.path}`, ...revisions, "--format", "ndjson"];
    const rounds: Ran[] = [];
    while (rounds.length < Number(values.rounds)) {
      rounds.push(await timed({ core: SERVER_CORE }, MAIN, ...command));
    }
    const figure = (of: (ran: Ran) => number) => few(spread(rounds.map(of)));
    rows.push([
      what,
      size,
      String(rounds[0]?.stdout.split("\n").filter((line) => line !== "").length),
      figure(({ cpuSeconds }) => cpuSeconds),
      figure(({ seconds }) => seconds),
      figure(({ peakRss }) => peakRss / 2 ** 20),
    ]);
    if (records.length > 0) from = await apply(world, records.map(removal));
  }
}
const table = markdown(rows);
console.log(table);
writeFileSync(
  new URL("../docs/performance-diff.md", import.meta.url),
  `# What a difference costs

For operators. After this page you know how long [\`rolebook diff\`](diff.md) takes by the size of the organization.
\`node bench/diff.ts --sizes ${values.sizes}\` made this page. It runs the whole command on SQLite with \`--format ndjson\`.
Figures are the median (least to greatest) of ${values.rounds} rounds. "nothing" is the cost of the command itself. The largest team has
30 % of the members. S, M and L are organizations of 1,000, 50,000 and 1,000,000 members.

${table}

What bounds the difference of ten memberships: the start of the program ("nothing" above), and then each content that differs,
of which the title is read, the counts are worded and a line is printed. Apart from the contents that differ, it reads the
members and the permissions of their teams only.
`,
);
