/** On PostgreSQL, `rolebook backup` names PostgreSQL's own tools and writes nothing. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { postgresPlaces } from "../postgres/place.ts";
import { startPostgres } from "../postgres/server/server.ts";

test("backup points to PostgreSQL's own tools", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-backup-"));
  const server = await startPostgres();
  const places = postgresPlaces(server.url());
  try {
    const place = await places.open();
    const ran = await rolebook(["backup", join(folder, "copy.db")], { ROLEBOOK_DATABASE_URL: place.url });
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toMatch(
      /^postgres:\/\/\S+ is backed up with PostgreSQL's own tools, such as pg_dump or a base backup; see docs\/operations\.md\.\n$/,
    );
    expect(readdirSync(folder)).toEqual([]);
    await place.dispose();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
