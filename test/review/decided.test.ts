/** What became of a decided report after random changes is what a naive reading says. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { became, type DecidedRow } from "../../src/review/decided/became.ts";
import { rolebook } from "../command.ts";
import { effectiveOf } from "../oracle/effective.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/organizations.ts";
import { contentsOf } from "../oracle/tidy.ts";
import { reportIn } from "../report/read.ts";
import { inWorld } from "../why/world.ts";
import { ownPlace } from "../world.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);
const folder = mkdtempSync(join(tmpdir(), "rolebook-review-"));
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const file = join(folder, "review.csv");

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("of each row, and of who came since, after random changes", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      histories({ maxPermissions: 30, minContents: 1, minMembers: 2 }),
      async ([first = [], second = []]) => {
        await inWorld(ownPlace, async (world) => {
          await world.import(first);
          const stay = organizationIds(first).filter((id) => organizationIds(second).includes(id));
          const reports = new Map<string, DecidedRow[]>();
          for (const id of stay) {
            const { rows } = await reportIn(world, id, {});
            const decided = rows.map(
              ({ kind, content = "", user = "", effective_role: role = "" }): DecidedRow => ({
                content: kind === "space" ? `space/${content}` : `collection/${content}`,
                user: user.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, ""),
                role,
                decision: "keep",
                comment: "",
              }),
            );
            reports.set(id, decided);
          }
          await world.import(second);
          for (const [id, rows] of reports) {
            const found = await world.store.registry.organization(id);
            if (found === undefined) throw new Error(`no organization ${id}`);
            const told: string[] = [];
            for await (const each of became(world.store.reading(found.current), rows, "everybody")) {
              told.push([each.outcome, each.content, each.user, each.was, each.now].join(" | "));
              outcomes.add(each.outcome);
            }
            const facts = factsOf(second, id);
            const now = (content: string, user: string) => {
              const at = contentsOf(facts).find((each) => `${each.kind}/${each.id}` === content);
              return at === undefined ? "" : (effectiveOf(facts, user, at)?.role ?? "");
            };
            const expected = rows.map(({ content, user, role }) => {
              const is = now(content, user);
              const outcome = is === "" ? "removed" : is === role ? "still there" : "changed";
              return [outcome, content, user, role, is].join(" | ");
            });
            for (const content of new Set(rows.map((row) => row.content))) {
              for (const user of facts.members.keys()) {
                const is = now(content, user);
                const isKnown = rows.some((row) => row.content === content && row.user === user);
                if (is !== "" && !isKnown) expected.push(["came", content, user, "", is].join(" | "));
              }
            }
            expect(told.sort()).toEqual(expected.sort());
          }
        });
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  if (RUNS > 10) expect([...outcomes].sort()).toEqual(["came", "changed", "removed", "still there"]);
});

test("a decided file: decisions are counted, and what else was changed in it is said", async () => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  const decided = stdout
    .replace(/(,amara,.*),,\r\n/, "$1,remove,left\r\n")
    .replace(/(,ivo,.*),,\r\n/, "$1,keep,\r\n");
  expect(decided).not.toBe(stdout);
  writeFileSync(file, decided);
  const whole = await rolebook(["review", file], environment);
  expect(whole).toMatchObject({ status: 0 });
  expect(whole.stdout.split("\n")[0]).toMatch(
    /^outcome +content +user +decision +was +now +reason +comment$/,
  );
  expect(whole.stdout).toMatch(
    /^still there +space\/salaries +amara +remove +admin +admin +direct permission here +left$/m,
  );
  expect(whole.stderr).not.toContain("altered");
  expect(whole.stderr).toContain("remove: 1 still there");
  expect(whole.stderr).toContain("keep: 1 still there");

  writeFileSync(file, decided.replace(",admin,", ",read,"));
  const altered = await rolebook(["review", file, "--format", "csv"], environment);
  expect(altered.stderr).toContain(
    "The report was altered beyond the decisions: cells other than decision and comment are not what they were.\n",
  );
  writeFileSync(file, decided.split("\r\n").slice(0, -2).join("\r\n"));
  expect((await rolebook(["review", file], environment)).stderr).toMatch(
    /altered.*the head tells \d+ rows, and there are/,
  );
  const none = await rolebook(["review", "examples/people.csv"], environment);
  expect(none).toMatchObject({ status: 1, stdout: "" });
  expect(none.stderr).toMatch(/^examples\/people.csv is no report of rolebook report with its head/);
});
