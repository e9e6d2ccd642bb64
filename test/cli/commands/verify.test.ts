import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rolebook } from "../../command.ts";
import { temporaryFolder } from "../../folder.ts";

const folder = temporaryFolder();
const path = join(folder, "rolebook.db");

const run = (...args: string[]) => rolebook(args, { ROLEBOOK_DATABASE_URL: `sqlite:${path}` });

function damage(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test("verify says what is damaged, --repair what mends it, and an import of the file does", async () => {
  expect(await run("import", "examples/acme.ndjson")).toMatchObject({ status: 0 });
  damage("UPDATE content_row SET level = 6 WHERE id = 'space/api-reference'");
  damage("UPDATE member_row SET teams = '99;' WHERE id = 'ana'");
  const lines = [
    "acme, revision 1: content_row differs from its documents in 1: space/api-reference",
    "acme, revision 1: member_row names what is not there in 1: ana",
    "acme, revision 1: revision_row differs from the records in 1: 1",
  ];
  const stdout = lines.map((line) => `${line}\n`).join("");
  expect(await run("verify")).toEqual({
    status: 1,
    stdout,
    stderr: "1 of 1 organizations are damaged; --repair says what mends them.\n",
  });
  expect(await run("verify", "--repair")).toEqual({
    status: 1,
    stdout,
    stderr:
      "acme: only an import of its whole file mends revision 1: rolebook import FILE. Without a file, restore a backup.\n" +
      "1 of 1 organizations are damaged; nothing was changed.\n",
  });
  expect(await run("import", "examples/acme.ndjson")).toMatchObject({ status: 0 });
  // The past stays damaged, and so nothing leads from it to what was imported.
  const later = [...lines, "acme, revision 1: record_change does not lead to the revision before in 1: 2"];
  expect(await run("verify")).toMatchObject({
    status: 1,
    stdout: later.map((line) => `${line.replace("revision 1:", "revision 2:")}\n`).join(""),
  });
  expect((await run("verify", "--repair")).stderr).toBe(
    "acme: revision 2 is whole. Only a backup mends the revisions before it; they are deleted with the history (rolebook history).\n" +
      "1 of 1 organizations are damaged; nothing was changed.\n",
  );
  const exported = await run("export", "--organization", "acme");
  expect(exported).toMatchObject({ status: 0 });
  expect(exported.stdout).toContain('"object":"end"');
  damage("DELETE FROM revision_row WHERE revision = 2");
  const lost = await run("verify", "--repair");
  expect(lost.stdout).toContain("acme, revision 1: revision_row has no row in 1: 2\n");
  expect(lost.stderr).toContain("acme: restore a backup, unless");
});
