/**
 * What sites say, in pulls from a GitBook that finds effective roles by one of three rules. An organization whose sites
 * say something is written only if the roles on their spaces are GitBook's own.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { probe } from "../../../src/connectors/gitbook/probe.ts";
import { type Ran, rolebook } from "../../command.ts";
import { tableUnder } from "../../docs/reading/table.ts";
import { recordsIn, textOf } from "../../examples/acme.ts";
import { temporaryFolder } from "../../folder.ts";
import { TOKEN } from "./double/double.ts";
import { clientOf, pulled, withDouble } from "./double/pulled.ts";
import type { OtherRule } from "./double/rules.ts";
import { canonical, State, tamed, withSilentSites } from "./double/state.ts";

const DATES = `"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z"`;
/** On the space Notes, Ana has `read`, `comment` or `create`, by the rule that is asked. */
const RECORDS = tamed(
  recordsIn(`{"object":"organization","id":"tiny","title":"Tiny"}
{"object":"user","id":"ana","displayName":"Ana Lima"}
{"object":"user","id":"ben","displayName":"Ben Okafor"}
{"object":"user","id":"gil","displayName":"Gil Marsh"}
{"object":"member","organization":"tiny","user":"ana","role":"edit"}
{"object":"member","organization":"tiny","user":"ben","role":"edit"}
{"object":"member","organization":"tiny","user":"gil","role":null}
{"object":"team","id":"docs","organization":"tiny","title":"Docs","createdAt":"2026-01-01T00:00:00.000Z"}
{"object":"teamMember","team":"docs","user":"gil","role":"owner"}
{"object":"collection","id":"all","organization":"tiny","title":"All of it","defaultLevel":"create"}
{"object":"space","id":"notes","organization":"tiny","title":"Notes","parent":"all",${DATES}}
{"object":"space","id":"plan","organization":"tiny","title":"Plan","defaultLevel":"read",${DATES}}
{"object":"space","id":"apart","organization":"tiny","title":"Apart",${DATES}}
{"object":"site","id":"help","organization":"tiny","title":"Help","defaultLevel":"comment"}
{"object":"space","id":"draft","organization":"tiny","title":"Draft","parent":"all",${DATES}}
{"object":"site","id":"shut","organization":"tiny","title":"Shut"}
{"object":"siteSpace","site":"shut","space":"draft"}
{"object":"permission","site":"shut","user":"ben","permission":null}
{"object":"site","id":"quiet","organization":"tiny","title":"Quiet"}
{"object":"siteSpace","site":"help","space":"notes"}
{"object":"siteSpace","site":"help","space":"plan"}
{"object":"siteSpace","site":"quiet","space":"apart"}
{"object":"permission","site":"help","user":"ana","permission":"read"}
{"object":"permission","site":"help","user":"ben","permission":null}
{"object":"permission","site":"help","team":"docs","permission":"review"}`),
);

const around = temporaryFolder();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(around, "pull-"));
});

interface Pulling extends Ran {
  /** The requests for effective roles. */
  readonly compared: string[];
  readonly records: object[] | undefined;
}

async function pull(state: State, ...args: string[]): Promise<Pulling> {
  return withDouble(state, {}, async (double) => {
    const output = join(folder, "tiny.ndjson");
    const asked = ["--organization", "tiny", "--api", double.url, "--output", output, ...args];
    const ran = await rolebook(["pull", "gitbook", ...asked], { GITBOOK_TOKEN: TOKEN });
    const compared = double.asked.filter((line) => line.includes("/aggregate"));
    const isWritten = readdirSync(folder).length > 0;
    return {
      ...ran,
      compared: compared.map((line) => line.replace(/^GET \/v1(.+)\?.*$/, "$1")).sort(),
      records: isWritten ? recordsIn(readFileSync(output, "utf8")).slice(0, -1) : undefined,
    };
  });
}

const rolesOn = (...spaces: string[]) => spaces.map((space) => `/spaces/${space}/permissions/aggregate`);

test("what sites say is written, after the roles on their spaces were compared", async () => {
  const { status, stderr, compared, records } = await pull(new State(RECORDS));
  expect([status, compared], stderr).toEqual([0, rolesOn("draft", "notes", "plan")]);
  expect(canonical(records ?? [])).toEqual(canonical(RECORDS));
  expect(stderr).toContain(
    "Compared 3 contents, 0 members and 0 sites with GitBook's own lists: 0 differences.",
  );
});

test.each<[OtherRule, RegExp]>([
  ["broadest", /^space\/notes: "ana" has comment at GitBook, read by Rolebook's rules$/m],
  ["highest", /^space\/notes: "ben" has create at GitBook, no access by Rolebook's rules$/m],
])("a GitBook that takes the %s is refused, unless what sites say is left out", async (rule, difference) => {
  const state = new State(RECORDS, { rule });
  const refused = await pull(state, "--import", "--database", `sqlite:${join(folder, "rolebook.db")}`);
  expect([refused.status, refused.stdout, refused.records]).toEqual([1, "", undefined]);
  expect(refused.stderr).toMatch(difference);
  expect(refused.stderr).toMatch(
    /To leave out what sites say: --accept site-permissions\. To see which rule .*: --probe\.\nNothing was written\.\n$/,
  );
  expect(readdirSync(folder)).toEqual([]);
  const without = await pull(state, "--accept", "site-permissions");
  expect([without.status, without.compared], without.stderr).toEqual([0, []]);
  expect(without.stderr).toContain('Accepted site-permissions, 2: "site/help", "site/shut".');
  expect(canonical(without.records ?? [])).toEqual(canonical(withSilentSites(RECORDS)));
});

test("a default level or one permission is enough, and silent sites cost nothing", async () => {
  const bare = withSilentSites(RECORDS);
  const level = RECORDS.filter((record) => record.object !== "permission");
  expect((await pull(new State(level))).compared).toEqual(rolesOn("notes", "plan"));
  for (const permission of RECORDS.filter((record) => record.object === "permission")) {
    const { compared } = await pull(new State([...bare, permission]));
    expect(compared).toEqual(permission.site === "help" ? rolesOn("notes", "plan") : rolesOn("draft"));
  }
  const silent = await pull(new State(bare));
  expect([silent.compared, silent.stderr.includes("Compared")]).toEqual([[], false]);
});

test("a difference elsewhere does not blame the sites", async () => {
  const distort = (path: string, entry: Record<string, unknown>) =>
    path.startsWith("/collections") && path.endsWith("aggregate") ? { ...entry, permission: "admin" } : entry;
  const { status, stderr } = await pull(new State(RECORDS, { distort }), "--verify", "all");
  expect([status, stderr.includes("collection/all: ")]).toEqual([1, true]);
  expect(stderr).not.toContain("--accept");
});

test("a role and a default level of a site that are none of the six are named", async () => {
  const distort = (path: string, entry: Record<string, unknown>) => {
    if (path.endsWith("/sites")) return { ...entry, defaultLevel: "viewer" };
    return path.endsWith("/{siteId}/permissions/teams") ? { ...entry, permission: "observer" } : entry;
  };
  const state = new State(RECORDS, { distort });
  const refusal = await pulled(state, {}, { accept: ["role:viewer"] }).catch(String);
  expect(refusal).toMatch(/role:observer: .* Found at site\/help\n/);
  await expect(pulled(state)).rejects.toThrow(
    /role:viewer: .* Found at site\/help, site\/quiet, site\/shut\n/,
  );
  const read = await pulled(state, {}, { accept: ["role:viewer", "role:observer"] });
  expect(canonical(read)).toEqual(
    canonical(
      RECORDS.filter((record) => !("site" in record && "team" in record)).map((record) =>
        record.object === "site" ? { ...record, defaultLevel: null } : record,
      ),
    ),
  );
});

const RULES = tableUnder(textOf("docs/gitbook.md"), "How the real API behaves").map(([name = ""]) =>
  name.replaceAll("`", ""),
);

test.each<[OtherRule | undefined, string | undefined]>([
  [undefined, RULES[0]],
  ["broadest", RULES[1]],
  ["highest", RULES[2]],
])("a probe says which rule gives GitBook's results: %s", async (rule, name) => {
  const state = new State(RECORDS, rule === undefined ? {} : { rule });
  const lines: string[] = [];
  await withDouble(state, {}, async (double) => {
    for await (const line of probe(clientOf(double), "tiny", [])) lines.push(line);
  });
  expect(lines).toContain("spaces of sites with permissions or a default level: 3");
  expect(lines.filter((line) => line.includes("rule"))).toEqual([
    ...RULES.map((each): unknown => {
      const count = each === name ? "15 of 15" : String.raw`(?!15 )\d+ of 15`;
      return expect.stringMatching(new RegExp(`^rule "${each}": ${count} roles on 5 contents$`));
    }),
    `GitBook's roles are those of the rule "${name}"`,
  ]);
});

test("a probe says where no rule gives GitBook's results", async () => {
  const distort = (path: string, entry: Record<string, unknown>) =>
    path.endsWith("aggregate") ? { ...entry, permission: "admin" } : entry;
  await withDouble(new State(RECORDS, { distort }), {}, async (double) => {
    const lines: string[] = [];
    for await (const line of probe(clientOf(double), "tiny", [])) lines.push(line);
    expect(lines).toContain("GitBook's roles are those of none of these rules");
  });
});
