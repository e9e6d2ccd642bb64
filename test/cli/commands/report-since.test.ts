/**
 * `rolebook report` with --since and --without-admins: who is new or risen, admins left out, in the sheet, in the
 * explorer's, and among the newcomers of a review. Sheets of earlier versions, which had only who is new, are read as such.
 */
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test, vi } from "vitest";
import { rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { histories } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { rowsOf, type Selection } from "../../oracle/reviews/report.ts";
import { inWorld } from "../../store/why.ts";
import { ownPlace, type World } from "../../world.ts";
import { drawUntil } from "../../setup/seed.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 5);
const SIZES = {
  maxOrganizations: 1,
  minMembers: 3,
  maxMembers: 8,
  minContents: 3,
  maxContents: 8,
  minPermissions: 8,
};
/** The second state is that of the report, the third that of the review. */
const DAYS = ["2026-03-01", "2026-03-03", "2026-03-05"];
const SINCE = "2026-03-02";

test("the rows and the newcomers of random histories are the oracle's, also of a sheet with the old words", async () => {
  const found = { rows: 0, onlyNew: 0, came: 0 };
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const property = () =>
      fc.asyncProperty(histories(SIZES, 2), fc.boolean(), async (history, withoutAdmins) => {
        await inWorld(ownPlace, async (world) => {
          const states: Facts[] = [];
          for (const [index, records] of history.entries()) {
            vi.setSystemTime(`${DAYS[index]}T12:00:00Z`);
            await world.import(records);
            states.push(factsOf(records, organizationIds(records)[0] ?? ""));
          }
          const [before, then, now] = states;
          if (before === undefined || then === undefined || now === undefined) return;
          const narrowing = withoutAdmins ? ["--without-admins"] : [];
          const ran = await run(world, [
            "report",
            "--organization",
            then.organization,
            "--at",
            DAYS[1] ?? "",
            "--since",
            SINCE,
            ...narrowing,
          ]);
          const sheet = new Sheet(ran.stdout);
          const cover = withoutAdmins ? "every role; without organization admins; " : "every role; ";
          expect(sheet.covers).toBe(`${cover}new or risen since ${SINCE}`);
          expect(sheet.rows).toEqual(rowsOf(then, { before, withoutAdmins }));
          found.rows += sheet.rows.length;
          found.came += await compareReview(world, sheet, now, { before, withoutAdmins });

          const wanted = new Set(rowsOf(then, { before, withoutAdmins, onlyNew: true }));
          const old = sheet.with(`${cover}new since ${SINCE}`, wanted);
          found.onlyNew += sheet.rows.length - wanted.size;
          await compareReview(world, old, now, { before, withoutAdmins, onlyNew: true });
        });
      });
    await drawUntil(
      () => RUNS < 5 || Math.min(...Object.values(found)) > 0,
      (seed) => holds(property(), { numRuns: RUNS, seed }),
    );
  } finally {
    vi.useRealTimers();
  }
});

test("the explorer's sheet is byte for byte that of the command, with each way to leave rows out", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(`${DAYS[0]}T12:00:00Z`) });
  try {
    await inWorld(ownPlace, async (world) => {
      // Before, the writers may only read, and Kofi has no permission.
      const before = acme.flatMap((record): SnapshotRecord[] => {
        if (record.object !== "permission") return [record];
        if (record.user === "kofi@partner.example") return [];
        return [record.team === "writers" ? { ...record, permission: "read" } : record];
      });
      await world.import(before);
      vi.setSystemTime(`${DAYS[1]}T12:00:00Z`);
      await world.import(acme);
      const token = await world.token("acme");
      for (const [options, query] of [
        [["--without-admins"], "admins=none"],
        [["--since", SINCE], `since=${SINCE}`],
        [["--without-admins", "--least", "edit", "--since", SINCE], `admins=none&least=edit&since=${SINCE}`],
      ] as const) {
        const { stdout } = await run(world, ["report", "--collection", "handbook", ...options]);
        const { body } = await world.get(`/explorer/report?collection=handbook&${query}`, token);
        expect(new Sheet(stdout).rows.length).toBeGreaterThan(0);
        expect(body.split("\r\n").slice(1)).toEqual(stdout.split("\r\n").slice(1));
      }
      const { status, body } = await world.get("/explorer/report?collection=handbook&admins=only", token);
      expect([status, JSON.parse(body).error.message]).toEqual([
        400,
        'The parameter admins is "only"; accepted: none.',
      ]);
    });
  } finally {
    vi.useRealTimers();
  }
});

async function run(world: World, args: readonly string[]) {
  const ran = await rolebook(args, { ROLEBOOK_DATABASE_URL: world.url });
  expect(ran, ran.stderr).toMatchObject({ status: 0 });
  return ran;
}

/** Compares who came since a report, and that it counts as unaltered. Returns the number of newcomers. */
async function compareReview(world: World, sheet: Sheet, now: Facts, selection: Selection): Promise<number> {
  const file = world.file(sheet.text, "review.csv");
  const { stdout, stderr } = await run(world, ["review", file, "--outcome", "came", "--format", "ndjson"]);
  expect(stderr).not.toContain("altered");
  const pairOf = (row: string) => row.slice(0, row.lastIndexOf(" "));
  const known = new Set(sheet.rows.map(pairOf));
  const came = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Came => JSON.parse(line))
    .map(({ content, user, now: role }) => `${content.kind}/${content.id} ${user} ${role}`);
  const wanted = rowsOf(now, selection).filter((row) => !known.has(pairOf(row)));
  expect(came.toSorted()).toEqual(wanted.toSorted());
  return came.length;
}

interface Came {
  readonly content: { readonly kind: string; readonly id: string };
  readonly user: string;
  readonly now: string;
}

/** The number of lines above the rows. */
const HEAD = 8;

/** A saved report. */
class Sheet {
  readonly text: string;
  readonly #lines: readonly string[][];

  constructor(text: string) {
    this.text = text;
    this.#lines = Papa.parse<string[]>(text, { newline: "\r\n", skipEmptyLines: true }).data;
  }

  get covers(): string | undefined {
    return this.#lines[4]?.[3];
  }

  /** The rows as the oracle has them. */
  get rows(): string[] {
    return this.#lines.slice(HEAD).map((cells) => rowIn(cells));
  }

  /** The sheet as another version would have written it: with other words, some rows, and their hash. */
  with(covers: string, wanted: ReadonlySet<string>): Sheet {
    const [head = "", ...texts] = this.text.split(/(?<=\r\n)(?=(?:space|collection),)/u);
    const rows = texts.filter((_, index) => wanted.has(this.rows[index] ?? "")).join("");
    const hash = createHash("sha256").update(rows).digest("hex");
    const said = head
      .replace(this.covers ?? "", covers)
      .replace(/\r\nrows,\d+/u, `\r\nrows,${wanted.size}`)
      .replace(/\r\nsha256,\w+/u, `\r\nsha256,${hash}`);
    return new Sheet(said + rows);
  }
}

function rowIn([kind, content, , , user, , , , , role]: readonly string[]): string {
  return `${kind}/${plain(content)} ${plain(user)} ${role}`;
}

/** A cell without the apostrophe that keeps a spreadsheet from running it. */
function plain(cell = ""): string {
  return /^'+\s*[=+\-@]/u.test(cell) ? cell.slice(1) : cell;
}
