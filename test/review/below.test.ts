/** A review of strong roles: who fell beneath what its report covers is done, and nobody else. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";
import { beforeAll, describe, expect, test } from "vitest";
import { rolebook } from "../command.ts";
import type { Role, SnapshotRecord } from "../oracle/records.ts";
import { temporaryFolder } from "../folder.ts";
import { sqlitePlace, World } from "../world.ts";

const folder = temporaryFolder();
const file = join(folder, "review.csv");
const TIME = "2026-01-01T00:00:00Z";

/** The members with their organization roles, `null` for a guest; what each has on the space; who is in the team. */
interface State {
  readonly members: Readonly<Record<string, "read" | "comment" | null>>;
  readonly permissions: Readonly<Record<string, Role>>;
  readonly team: readonly string[];
}

const BEFORE: State = {
  members: {
    ana: "read",
    bea: "comment",
    cleo: "read",
    dan: "read",
    eve: "read",
    fay: null,
    gus: "read",
    hal: "read",
  },
  permissions: { cleo: "edit", dan: "edit", eve: "create", fay: "edit", gus: "edit", hal: "edit" },
  team: ["ana", "bea"],
};
const AFTER: State = {
  // Cleo is gone. Fay stopped being a guest.
  members: { ana: "read", bea: "comment", dan: "read", eve: "read", fay: "read", gus: "read", hal: "read" },
  // Dan rose; Eve fell, but not beneath edit; Hal fell to read; Gus has the role through the team.
  permissions: { dan: "review", eve: "review", fay: "edit", hal: "read" },
  team: ["gus"],
};

function recordsOf({ members, permissions, team }: State): SnapshotRecord[] {
  const organization = "o";
  const people = Object.entries(members).flatMap(([id, role]): SnapshotRecord[] => [
    { object: "user", id, displayName: id },
    { object: "member", organization, user: id, role },
  ]);
  return [
    { object: "organization", id: organization, title: "O" },
    ...people,
    { object: "team", id: "writers", organization, title: "Writers", createdAt: TIME },
    ...team.map((user): SnapshotRecord => ({ object: "teamMember", team: "writers", user, role: "member" })),
    { object: "space", id: "guide", organization, title: "Guide", createdAt: TIME, updatedAt: TIME },
    { object: "permission", space: "guide", team: "writers", permission: "edit" },
    ...Object.entries(permissions).map(([user, permission]): SnapshotRecord => ({
      object: "permission",
      space: "guide",
      user,
      permission,
    })),
  ];
}

describe.each(["--least", "--role"])("a report with %s edit", (narrowing) => {
  const isOnly = narrowing === "--role";
  let world: World;
  const run = (...args: string[]) =>
    rolebook(["review", file, ...args], { ROLEBOOK_DATABASE_URL: world.url });

  async function outcomesOf(...args: string[]): Promise<(readonly [user: string, words: string])[]> {
    const { stdout } = await run("--format", "csv", ...args);
    const { data } = Papa.parse<Record<string, string>>(stdout, { header: true, skipEmptyLines: true });
    return data.map(({ user = "", outcome, now }) => [user, `${outcome}, now ${now || "none"}`]);
  }

  beforeAll(async () => {
    world = await World.open(sqlitePlace);
    await world.import(recordsOf(BEFORE));
    const { stdout } = await rolebook(["report", narrowing, "edit"], { ROLEBOOK_DATABASE_URL: world.url });
    writeFileSync(file, stdout.replaceAll(/,,\r\n/g, ",remove,\r\n"));
    return () => world.close();
  });

  test("of a role through a team, only what leads beneath edit is proposed", async () => {
    const changes = join(folder, "first.ndjson");
    const { stdout } = await run("--changes", changes, "--format", "csv");
    const { data } = Papa.parse<Record<string, string>>(stdout, { header: true, skipEmptyLines: true });
    const linesOf = (wanted: string) =>
      data.flatMap(({ user, what, before, after, note }) =>
        user === wanted ? [[what, before, after, note]] : [],
      );
    expect(linesOf("ana")).toEqual([
      ["left", "edit", "edit", "team Writers here"],
      ["proposal", "", "", "remove ana from team Writers"],
      ["proposal", "", "", "take away team Writers’s edit on space Guide"],
    ]);
    // Without the permission, read is left: the removal needs nothing else.
    expect(linesOf("hal")).toEqual([["lowered", "edit", "read", "decided"]]);
  });

  describe("afterwards", () => {
    beforeAll(async () => {
      await world.import(recordsOf(AFTER));
    });

    const expected: readonly (readonly [user: string, words: string])[] = [
      ["ana", "below, now read"],
      ["bea", "below, now comment"],
      ["cleo", "removed, now none"],
      ["dan", "changed, now review"],
      ...(isOnly ? [] : [["eve", "changed, now review"] as const]),
      ["fay", "still there, now edit"],
      ["gus", "still there, now edit"],
      ["hal", "below, now read"],
    ];

    test("says who fell beneath edit; who rose, is a member now or has another source is not done", async () => {
      expect(await outcomesOf()).toEqual(expected);
      const below = expected.filter(([, words]) => words.startsWith("below"));
      expect(await outcomesOf("--outcome", "below")).toEqual(below);
      const { stderr } = await run();
      expect(stderr).toContain("3 below (now comment or read)");
      expect(stderr).not.toContain("altered");
    });

    test("the explorer and its review have the same outcomes", async () => {
      const token = await world.token("o");
      const what = isOnly ? "role edit only" : "role edit or stronger";
      const covers = `every space and collection, members and guests, ${what}`;
      const path = `/explorer/outcomes?earlier=1&covers=${encodeURIComponent(covers)}`;
      const { status, body } = await world.get(path, token);
      expect(status).toBe(200);
      const { data } = Papa.parse<string[]>(body.slice(body.indexOf("outcome,kind")), {
        skipEmptyLines: true,
      });
      expect(
        data.slice(1).map(([outcome, , , , user, , , now]) => [user, `${outcome}, now ${now || "none"}`]),
      ).toEqual(expected);

      const [at] = world.app.addresses();
      const answered = await fetch(`http://127.0.0.1:${at?.port}/explorer/review?answer=outcomes`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ report: readFileSync(file, "utf8") }),
      });
      expect(await answered.text()).toBe((await run("--format", "csv")).stdout);
    });

    test("the sign-off counts them as done, and says which roles are left", async () => {
      const sheet = join(folder, "summary.csv");
      const page = join(folder, "summary.html");
      await run("--summary", sheet, "--by", "Ana");
      const { data } = Papa.parse<string[]>(readFileSync(sheet, "utf8"), { skipEmptyLines: true });
      const figures = data.filter(([words = ""]) => /^(to be removed|kept), below/.test(words));
      expect(figures.map(([words, rows]) => [words, rows])).toEqual([
        ["kept, below edit since", "0"],
        ["to be removed, below edit since: now comment or read", "3"],
      ]);
      expect(figures[1]?.[2]).toContain("--decision remove --outcome below");

      await run("--summary", page, "--by", "Ana");
      const html = readFileSync(page, "utf8");
      const still = html.slice(html.indexOf("Still to be removed"));
      const named = [...still.matchAll(/<td>(\w+)<\/td>\s*<td>space\/guide/g)].map(([, user]) => user);
      expect(named).toEqual(isOnly ? ["dan", "fay", "gus"] : ["dan", "eve", "fay", "gus"]);
    });

    test("the change file leaves them what they have", async () => {
      const changes = join(folder, "second.ndjson");
      await run("--changes", changes);
      const removed = readFileSync(changes, "utf8").match(/"user":"\w+"/g);
      expect(removed).toEqual(
        (isOnly ? ["dan", "fay"] : ["dan", "eve", "fay"]).map((user) => `"user":"${user}"`),
      );
    });
  });
});
