/** With ROLEBOOK_LOG_ACCESS=on, the log says who looked at what, and never what was searched for. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Program } from "../../crash/program.ts";
import { rolebook } from "../../command.ts";
import { sqlitePlace } from "../../world.ts";
import { temporaryFolder } from "../../folder.ts";

const ACME = new URL("../../../examples/acme.ndjson", import.meta.url).pathname;
/** A member's token at the wrong place. */
const STRAY = `rb_${"x".repeat(43)}`;
/** What looks like a session, as an id. */
const LOST = `rbs_${"x".repeat(43)}`;

const FILE = "/explorer/csv?list=members&q=searchedText";

const folder = temporaryFolder();

/** Requests, and what the log says of each beside what it always says. */
const ASKED: readonly (readonly [path: string, shown: object])[] = [
  ["/v1/spaces/api-reference/permissions/aggregate?limit=2", { content: "space/api-reference", rows: 2 }],
  ["/v1/collections/handbook/permissions/teams?limit=1", { content: "collection/handbook", rows: 1 }],
  ["/v1/orgs/acme/members/kofi%40partner.example/teams", { person: "kofi@partner.example", rows: 1 }],
  ["/v1/orgs/acme/sites/acme-docs/permissions/aggregate?limit=3", { site: "acme-docs", rows: 3 }],
  ["/at/1/v1/orgs/acme/collections?limit=2", { rows: 2 }],
  ["/export", { rows: -1 }],
  ["/explorer/why?space=api-reference&user=ana", { content: "space/api-reference", person: "ana" }],
  ["/explorer/access?member=ana&tab=compare&with=bram&limit=1", { person: "ana", other: "bram", rows: 1 }],
  ["/explorer/access?team=docs&tab=members&limit=1&q=ana", { team: "docs", rows: 1 }],
  [FILE, { rows: 0 }],
  [`/explorer/access?team=${LOST}&tab=members`, { rows: 0 }],
];
const REFUSED = [`/v1/spaces/${STRAY}/permissions/users`, "/v1/orgs/acme/members/nobody@acme.example/teams"];

test.each(["on", "off"])(
  "%s",
  async (access) => {
    const place = await sqlitePlace();
    const run = async (...args: string[]) =>
      (await rolebook([...args, "--database", place.url])).stdout.trim();
    // A team whose id looks like a session.
    const team = { object: "team", id: LOST, organization: "acme", title: "Odd" };
    const records = `${readFileSync(ACME, "utf8")}${JSON.stringify({ ...team, createdAt: "2026-01-01T00:00:00Z" })}\n`;
    const file = join(folder, `${access}.ndjson`);
    writeFileSync(file, records);
    await run("import", file);
    const token = await run("token", "create", "--organization", "acme", "--member", "ivo");
    const whole = await run("token", "create", "--organization", "acme");
    const server = new Program(["serve", "--port", "0", "--database", place.url], {
      environment: { ROLEBOOK_LOG_LEVEL: "info", ROLEBOOK_LOG_ACCESS: access },
    });
    const [, port = ""] = await server.says(/serves .*:(\d+)"\}\n/);
    const bodies = new Map<string, string>();
    // Asked three times, a page comes from the cache.
    for (let times = 0; times < 3; times++) {
      for (const path of [...ASKED.map(([each]) => each), ...REFUSED]) {
        const own = path === "/export" ? whole : token;
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { authorization: `Bearer ${own}` },
        });
        bodies.set(path, await answer.text());
        expect([path, answer.status]).toEqual([path, REFUSED.includes(path) ? 404 : 200]);
      }
    }
    server.kill("SIGTERM");
    const { stderr } = await server.ended;
    await place.dispose();
    for (const never of ["searchedText", STRAY, LOST, "nobody@acme", token, whole])
      expect(stderr).not.toContain(never);
    const lines: Record<string, unknown>[] = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === "request");
    const always = "level time pid hostname method route status milliseconds token organization client msg";
    const shown = lines.map((line) =>
      Object.fromEntries(Object.entries(line).filter(([name]) => !always.split(" ").includes(name))),
    );
    const expected = ASKED.map(([path, what]) => {
      if (access === "off") return {};
      const member = path === "/export" ? {} : { member: "ivo" };
      const exported = bodies.get("/export")?.trimEnd().split("\n").length;
      return { ...member, revision: 1, ...what, ...(path === "/export" && { rows: exported }) };
    });
    const each = [...expected, ...REFUSED.map(() => ({}))];
    expect(shown).toEqual([...each, ...each, ...each]);
  },
  60_000,
);
