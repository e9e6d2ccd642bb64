/** The first row of the file of every list, in the example organization and after two small changes. */
import Papa from "papaparse";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FILES as DECLARED } from "../../../src/explorer/server/files.ts";
import { LISTS } from "../../../src/explorer/wire/lists.ts";
import { acme } from "../../examples/acme.ts";
import { ownPlace, World } from "../../world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await World.open(ownPlace, { rateLimit: 1_000_000 });
  // A site without spaces says something to nobody.
  const records: typeof acme = [
    ...acme,
    { object: "site", id: "soon", organization: "acme", title: "Soon", defaultLevel: "comment" },
    { object: "permission", site: "soon", team: "docs", permission: "edit" },
    { object: "permission", site: "soon", team: "agency", permission: null },
    { object: "permission", site: "soon", user: "ana", permission: null },
  ];
  await world.import(records);
  await world.import(
    records.filter(
      (record) =>
        !(record.object === "permission" && record.space === "hiring") &&
        !(record.object === "teamMember" && record.team === "docs" && record.user === "bram"),
    ),
  );
  token = await world.token("acme");
});
afterAll(() => world.close());

const BETA = "collection,beta,Beta,Handbook / Developer docs";
const LOWERED = "lowered,review,team Docs on Handbook";
const ANA = "ana,Ana Lima,ana.lima@acme.example";
const BETWEEN = "earlier=1&later=2";

/** By the list's id in the table of lists: a request, and the first row of its file. */
const FILES: readonly (readonly [id: (typeof LISTS)[number]["id"], query: string, row: string])[] = [
  [
    "everyone",
    "space=api-reference",
    "amara,Amara Okafor,amara.okafor@acme.example,comment,organization role",
  ],
  [
    "given",
    "space=api-reference&tab=people",
    "daniel,Daniel Osei,daniel.osei@acme.example,review,direct permission here",
  ],
  ["givenTeams", "space=api-reference&tab=teams", "platform,Platform,create,4,2"],
  ["sitePeople", "site=soon&tab=people", `${ANA},none`],
  ["siteTeams", "site=soon&tab=teams", "docs,Docs,edit,4,5"],
  ["inside", "collection=developer-docs&tab=contents", `${BETA},inherit,`],
  [
    "siteSpaces",
    "site=acme-docs&tab=spaces",
    "api-reference,API reference,Handbook / Developer docs,inherit,yes,public",
  ],
  [
    "memberSpaces",
    "member=ana",
    "batch-api,Batch API,Handbook / Developer docs / Beta,review,2026-11-03T13:00:00.000Z,team Docs on Handbook",
  ],
  ["memberTeams", "member=ana&tab=teams", "docs,Docs,owner,4,5"],
  ["permissions", "team=docs", "collection,handbook,Handbook,,review"],
  ["teamMembers", "team=docs&tab=members", `${ANA},owner`],
  ["members", "list=members&q=kofi", "kofi@partner.example,Kofi Mensah,kofi@partner.example,guest"],
  ["teams", "list=teams", "agency,Agency,3,2,2026-05-04T12:00:00.000Z"],
  ["contents", "list=contents&show=broad", "space,glossary,Glossary,Product,create,"],
  ["found", "list=found&q=ana", `member,ana,Ana Lima,,ana.lima@acme.example`],
  [
    "withoutOn",
    "space=api-reference&tab=without&without=team/docs",
    `${ANA},${LOWERED},comment,team Writers on Handbook`,
  ],
  ["concerned", "list=contents&without=team/docs", `${BETA},0,3,0,0`],
  ["pairs", "list=pairs&without=team/docs", `${BETA},${ANA},${LOWERED},comment,team Writers on Handbook`],
  ["within", "space=api-reference&tab=within&within=docs", `${ANA},review,team Docs on Handbook`],
  [
    "compared",
    "member=ana&tab=compare&with=bram",
    "roadmap-2025,Roadmap 2025,Product,yes,comment,organization role,read,organization role",
  ],
  [
    "comparedIn",
    "collection=developer-docs&tab=compare&user=ana",
    "webhooks-cookbook,Webhooks cookbook,Handbook / Developer docs,yes,create,direct permission here",
  ],
  [
    "changedOn",
    `space=hiring&tab=changes&${BETWEEN}`,
    `space,hiring,Hiring,People,daniel,Daniel Osei,daniel.osei@acme.example,lost,comment,direct permission here,,,"lost comment, because Daniel Osei’s comment on space Hiring was taken away in revision 2"`,
  ],
  [
    "changedOf",
    `member=bram&tab=changes&${BETWEEN}`,
    `${BETA},bram,Bram de Wit,bram.dewit@acme.example,${LOWERED},read,organization role,"lowered from review to read, because Bram de Wit left team Docs in revision 2"`,
  ],
  ["changesBy", `team=docs&tab=changes&${BETWEEN}`, `${BETA},,,,0,1,0,0,Bram de Wit left team Docs`],
  ["changes", `list=changes&${BETWEEN}`, `${BETA},,,,0,1,0,0,Bram de Wit left team Docs`],
  [
    "opened",
    "team=docs&tab=reach",
    "batch-api,Batch API,Handbook / Developer docs / Beta,review,team Docs on Handbook",
  ],
];

test.each(FILES)("%s: %s", async (id, query, row) => {
  const { status, body } = await world.get(`/explorer/csv?${query}`, token);
  expect(status, body).toBe(200);
  const lines = body.split("\r\n");
  const columns: readonly string[] = DECLARED[id].columns;
  // Who is compared with their own role has no other person.
  const shown = columns.filter((name) => id !== "comparedIn" || !name.startsWith("other"));
  expect(lines[5]).toBe(shown.join(","));
  expect(lines[6]).toBe(row);
  expect(Papa.parse<string[]>(row).data[0]).toHaveLength(shown.length);
});

test("every list has a file here", () => {
  expect(FILES.map(([id]) => id)).toEqual(LISTS.map(({ id }) => id));
});
