/** Pulls a large organization with the program in its own process, and measures its peak memory. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN } from "../../command.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { TOKEN } from "./double/double.ts";
import { withDouble } from "./double/pulled.ts";
import { State, tamed } from "./double/state.ts";

const PEAK = new URL("../../record-peak-memory.ts", import.meta.url).pathname;
const DATE = "2026-01-01T00:00:00.000Z";
/** The number of teams per person, and of people with a permission per space. */
const IN_TEAM = 10;
const ON_SPACE = 20;

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** An organization with `members` members: each in up to ten teams, with one space per hundred members. */
export function largeOrganization(members: number): SnapshotRecord[] {
  const organization = "many";
  const [teams, spaces] = [Math.ceil(members / 400), Math.ceil(members / 100)];
  const user = (index: number) => `user-${String(index % members).padStart(7, "0")}`;
  return [
    { object: "organization", id: organization, title: "Many" },
    { object: "collection", id: "all", organization, title: "All" },
    ...range(members).flatMap((index): SnapshotRecord[] => [
      {
        object: "user",
        id: user(index),
        displayName: `Person ${index}`,
        email: `${user(index)}@many.example`,
      },
      { object: "member", organization, user: user(index), role: index % 7 === 0 ? null : "read" },
    ]),
    ...range(teams).map((team): SnapshotRecord => ({
      object: "team",
      id: `team-${team}`,
      organization,
      title: `Team ${team}`,
      createdAt: DATE,
    })),
    ...range(teams).flatMap((team) =>
      range(Math.min(members, 400 * IN_TEAM)).map((index): SnapshotRecord => ({
        object: "teamMember",
        team: `team-${team}`,
        user: user(team * 400 + index),
        role: "member",
      })),
    ),
    ...range(spaces).flatMap((space): SnapshotRecord[] => [
      {
        object: "space",
        id: `space-${space}`,
        organization,
        title: `Space ${space}`,
        parent: "all",
        createdAt: DATE,
        updatedAt: DATE,
      },
      { object: "permission", space: `space-${space}`, team: `team-${space % teams}`, permission: "edit" },
      ...range(Math.min(members, ON_SPACE)).map((index): SnapshotRecord => ({
        object: "permission",
        space: `space-${space}`,
        user: user(space * 97 + index),
        permission: "review",
      })),
    ]),
  ];
}

export interface Pulling {
  readonly status: number | null;
  readonly stderr: string;
  /** The peak memory of the program, in bytes. */
  readonly peak: number;
  readonly milliseconds: number;
  /** The number of records that the end record states; the end record does not count. */
  readonly records: number;
}

/** Pulls an organization in its own process, and discards the snapshot. */
export async function pullLargeOrganization(records: readonly SnapshotRecord[]): Promise<Pulling> {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-many-"));
  const log = join(folder, "peak");
  try {
    return await withDouble(new State(tamed(records)), {}, async ({ url }) => {
      const began = Date.now();
      const args = ["--import", PEAK, MAIN, "pull", "gitbook", "--organization", "many", "--api", url];
      const child = spawn(process.execPath, args, {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, GITBOOK_TOKEN: TOKEN, PEAK_LOG: log },
      });
      let [tail, stderr] = ["", ""];
      child.stdout.on("data", (data: Buffer) => (tail = (tail + data.toString("utf8")).slice(-200)));
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString("utf8")));
      const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
      const end: { records?: number } = JSON.parse(tail.trim().split("\n").at(-1) || "{}");
      const peak = Number(readFileSync(log, "utf8"));
      return { status, stderr, peak, milliseconds: Date.now() - began, records: end.records ?? 0 };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
