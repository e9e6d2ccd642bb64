/** `rolebook review` names what was changed in a decided report, other than decisions and comments. */
import { hash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const file = join(folder, "review.csv");

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});

/** Replaces the hash in the header of a sheet by the hash of its rows. */
function rehashed(sheet: string): string {
  const rows = sheet.split("\r\n").slice(8).join("\r\n");
  return sheet.replace(/\r\nsha256,\w+/, `\r\nsha256,${hash("sha256", rows)}`);
}

test("cells and rows that differ are named, and rows that were only sorted are not", async () => {
  const { stdout: decided } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, decided);
  expect(await rolebook(["review", file], environment)).toMatchObject({ status: 0 });
  writeFileSync(file, decided.replace(",admin,", ",read,"));
  const altered = await rolebook(["review", file, "--format", "csv"], environment);
  expect([altered.status, altered.stdout]).toEqual([1, expect.stringContaining("amara")]);
  expect(altered.stderr).toContain(
    "The report was altered beyond the decisions: cells other than decision and comment have changed.\n",
  );
  expect(altered.stderr).toContain('space/salaries, amara: effective_role is "read", and was "admin".\n');
  const lines = decided.split("\r\n");
  const last = lines.at(-2)?.split(",");
  writeFileSync(file, lines.slice(0, -2).join("\r\n"));
  const short = await rolebook(["review", file], environment);
  expect(short.status).toBe(1);
  expect(short.stderr).toMatch(/altered.*the head says \d+ rows, but the file has/);
  expect(short.stderr).toContain(`\nspace/salaries, ${last?.[4]}: the row is missing.\n`);
  // A spreadsheet sorted the rows; every cell is unchanged.
  writeFileSync(file, [...lines.slice(0, 8), ...lines.slice(8, -1).toReversed(), ""].join("\r\n"));
  const sorted = await rolebook(["review", file], environment);
  expect(sorted.status).toBe(1);
  expect(sorted.stderr).toMatch(
    /^The report was altered beyond the decisions: the rows are in another order, and every cell is as it was\.\nReport of revision/,
  );
  // The header has the hash of the altered rows.
  writeFileSync(file, rehashed(decided.replace(",admin,", ",read,")));
  const summary = join(folder, "summary.csv");
  const forged = await rolebook(["review", file, "--summary", summary, "--by", "Ana"], environment);
  expect(forged.status).toBe(1);
  expect(forged.stderr).toContain(
    "The report was altered beyond the decisions: the hash in the head matches the rows, but the report of revision 1, made again, has another hash.\n" +
      'space/salaries, amara: effective_role is "read", and was "admin".\n',
  );
  expect(readFileSync(summary, "utf8")).toContain("has another hash");
  writeFileSync(file, decided.replace(",space salaries,", ",space nowhere,"));
  expect((await rolebook(["review", file], environment)).stderr).toContain(
    'there is no report of revision 1 that covers "space nowhere, members and guests, every role": There is no space "nowhere" in organization acme.\n',
  );
  const every = await rolebook(["report"], environment);
  writeFileSync(file, every.stdout.replaceAll("@acme.example,", "@acme.test,"));
  const many = await rolebook(["review", file], environment);
  expect(many.stderr.match(/^.+: email is ".+@acme.test", and was ".+@acme.example".$/gm)).toHaveLength(10);
  expect(many.stderr).toMatch(/^And [\d,]+ more\.$/m);
  writeFileSync(file, decided.replace(/\r\nsha256,\w+/, "\r\nsha256,0"));
  expect((await rolebook(["review", file], environment)).stderr).toContain(
    "The report of revision 1, made again, is not the one that the head describes, so its cells are not compared.\n",
  );
});
