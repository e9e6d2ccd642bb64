/** The differences between two revisions: in a process that has both in memory, and by `rolebook diff`. */
import { findTeam, memberId, type Model, NOTHING } from "../../src/model/model.ts";
import { contentDifferences, peopleApart } from "../../src/model/summary.ts";
import { modelOf } from "../../src/store/models.ts";
import type { Reading } from "../../src/store/reading.ts";
import { compare } from "../../src/store/revisions/diff/diff.ts";
import { inTurns, workInTurns } from "../../src/store/turns.ts";
import { ORGANIZATION } from "../data/identity.ts";
import type { Bench } from "../harness/bench.ts";
import { type Ran, timed } from "../harness/command.ts";
import { SERVER_CORE } from "../harness/cores.ts";
import { type Database, open, remembering } from "../harness/database.ts";
import { isIn } from "../harness/directory.ts";
import { growing } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { MAIN } from "../harness/rolebook.ts";
import { cpuOf, longestTurn } from "../harness/turns.ts";
import { copied, type World } from "../harness/world.ts";

/** What changes from one revision to the next. No change measures the command itself. */
const CASES: Readonly<Record<string, (model: Model, world: World) => object[]>> = {
  nothing: () => [],
  "a permission of the largest team on half of the spaces": (_, { marks }) => [
    permission({ collection: marks.halfCollection }, marks.everyoneTeam),
  ],
  "ten memberships": (model) => memberships(model, 10),
  "20,000 memberships": (model) => memberships(model, 20_000),
  "a permission of the largest team on each second space": (model, { marks }) =>
    growing(model).spaces.flatMap((space, place) =>
      place % 2 === 0 ? [permission({ space }, marks.everyoneTeam)] : [],
    ),
};

/** What takes longer, in milliseconds, is done once. */
const LONG = 20_000;

export async function differences(bench: Bench, put: Put): Promise<void> {
  for (const original of bench.worlds) {
    using world = copied(original, "diff");
    await using database = await open(world);
    for (const [name, recordsOf] of Object.entries(CASES)) {
      const before = await database.reading();
      const records = recordsOf(await modelOf(before), world);
      if (records.length > 0) await apply(database, records);
      await difference(world, { name, before, after: await database.reading() }, bench, put);
    }
  }
}

interface Difference {
  readonly name: string;
  readonly before: Reading;
  readonly after: Reading;
}

async function difference(
  { url, size }: World,
  { name, before, after }: Difference,
  { rounds }: Bench,
  put: Put,
): Promise<void> {
  const states = { before: await remembering(before), after: await remembering(after) };
  let contents = 0;
  const work = async (): Promise<void> => {
    const comparison = await compare({ before: states.before(), after: states.after() });
    for await (const person of inTurns(peopleApart(comparison))) void person;
    contents = (await workInTurns(contentDifferences(comparison))).length;
  };
  const cpu: number[] = [];
  do cpu.push(await cpuOf(work));
  while (cpu.length < rounds && (cpu[0] ?? 0) < LONG);
  put(
    size,
    name,
    "CPU seconds in memory",
    cpu.map((each) => each / 1000),
  );
  put(size, name, "longest turn in CPU ms", await longestTurn(work));
  put(size, name, "contents that differ", contents);
  const [from, to] = [before.at.revision, after.at.revision].map(String);
  const command = ["diff", "--database", url, "--from", from ?? "", "--to", to ?? "", "--format", "ndjson"];
  const ran: Ran[] = [];
  do ran.push(await timed({ core: SERVER_CORE }, MAIN, ...command));
  while (ran.length < rounds && (cpu[0] ?? 0) < LONG);
  put(
    size,
    name,
    "CPU seconds",
    ran.map(({ cpuSeconds }) => cpuSeconds),
  );
  put(
    size,
    name,
    "MB",
    ran.map(({ peakRss }) => peakRss / 2 ** 20),
  );
}

function permission(content: object, team: string): object {
  return { object: "permission", ...content, team, permission: "review" };
}

/** Members join ordinary teams that they are not in, as many at once as there are members and teams. */
function memberships(model: Model, count: number): object[] {
  const { members } = model;
  const teams = growing(model).teams.slice(5, 5 + Math.ceil(count / 100) * 10);
  const records: object[] = [];
  for (let member = 0; member < members.count && records.length < count; member++) {
    if (members.roles[member] === NOTHING) continue;
    const team = teams[records.length % teams.length] ?? "";
    if (isIn(model, member, findTeam(model, team) ?? 0)) continue;
    records.push({ object: "teamMember", team, user: memberId(model, member), role: "member" });
  }
  return records;
}

async function apply(database: Database, records: readonly object[]): Promise<void> {
  const lines = [{ object: "changes", organization: ORGANIZATION }, ...records];
  const revision = await database.apply(lines.map((line) => JSON.stringify(line)).join("\n"));
  if (revision === undefined) throw new Error(`${records.length} records made no revision`);
}
