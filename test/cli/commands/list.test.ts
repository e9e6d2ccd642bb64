/** `rolebook list` prints complete lists, or reports that they are incomplete. */
import Papa from "papaparse";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAll, type WalkRequest, nameOf } from "../../../src/cli/commands/list.ts";
import { OPERATIONS } from "../../../src/operations/operations.ts";
import { parameterName } from "../../../src/operations/parameters.ts";
import { rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { type Listing, oracle } from "../../oracle/oracle.ts";
import { PUBLIC_URL, sqlitePlace, World } from "../../world.ts";
import { type Fault, type Flaky, flaky } from "../flaky-server.ts";
import { keepHistory } from "../../directly.ts";

const second = oracle(acme, { publicUrl: PUBLIC_URL });
let world: World;
let url: string;
let token: string;

beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  url = await world.app.listen({ host: "127.0.0.1", port: 0 });
  token = await world.token("acme");
});
afterAll(() => world.close());

test("every endpoint has a command of its own", () => {
  expect(new Set(OPERATIONS.map(nameOf)).size).toBe(OPERATIONS.length);
});

test("NDJSON of every listing of the example is the oracle's list", async () => {
  for (const listing of second.listings("acme")) {
    const { written } = await run(requestOf(listing, { format: "ndjson", limit: 7 }));
    const items: unknown[] = written
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect([listing, items]).toEqual([listing, second.list("acme", listing)]);
  }
});

test("CSV has the same entries, safe in a spreadsheet, and a table is aligned", async () => {
  const site: Listing = { endpoint: 8, site: "acme-docs" };
  const csv = await run(requestOf(site, { format: "csv", limit: 4 }));
  const { data } = Papa.parse<string[]>(csv.written.trimEnd(), { newline: "\r\n" });
  const expected = second.list("acme", site).map((item) => {
    if (!("origin" in item)) throw new Error("not a site's entry");
    const { user, permission, origin } = item;
    return [user.id, user.displayName, user.email ?? "", permission, origin.type, origin.space];
  });
  expect(data).toEqual([["id", "name", "email", "role", "origin", "space"], ...expected]);

  const { written, said } = await run(requestOf(site, { format: "table", limit: 4 }));
  const lines = written.split("\n");
  const column = lines[0]?.indexOf("role") ?? 0;
  expect(lines.slice(1, -1).map((line) => line.slice(column).split(/ +/)[0])).toEqual(
    expected.map((cells) => cells[3]),
  );
  expect(said).toEqual([`${expected.length} entries, revision 1.`]);
});

describe("with failures", () => {
  const request: WalkRequest = requestOf(
    { endpoint: 3, space: "api-reference" },
    { format: "ndjson", limit: 10 },
  );

  test("retries if the server is away, limits requests or loses the connection", async () => {
    const faults: Record<number, Fault> = {
      0: { status: 503, headers: { "retry-after": "1" }, body: body(503, "The server is stopping.") },
      2: {
        status: 429,
        headers: { "retry-after": "1" },
        body: body(429, "This token may make 1 requests a minute."),
      },
      4: "cut",
      6: "close",
    };
    const { written, said, asked } = await through(faults, { ...request, limit: 8 });
    expect(
      written
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(whole());
    expect(asked).toHaveLength(8);
    expect(said).toEqual([
      "The server is not answering (The server is stopping.); retrying in 1 s.",
      "Too many requests; retrying in 1 s.",
      expect.stringMatching(/^The server is not answering \(.+\); retrying in 1 s\.$/),
      expect.stringMatching(/^The server is not answering \(.+\); retrying in 1 s\.$/),
      `${whole().length} entries, revision 1.`,
    ]);
  });

  test.each<[string, Fault, string]>([
    [
      "a token that was revoked",
      unauthorized(),
      "It may be revoked. Set ROLEBOOK_TOKEN to a token that rolebook token create printed on the server. The list is not complete: only 10 entries were received.",
    ],
    [
      "a space that went",
      { status: 404, body: body(404, "Gone.") },
      "Gone. The list is not complete: only 10 entries were received.",
    ],
    [
      "an error of the server",
      { status: 500, body: body(500, "Something went wrong on the server.") },
      "Something went wrong on the server. The list is not complete: only 10 entries were received.",
    ],
  ])("reports an incomplete list: %s", async (_, fault, message) => {
    await expect(through({ 1: fault }, request)).rejects.toThrow(message);
  });

  test("prints no half table", async () => {
    const pieces: string[] = [];
    const table: WalkRequest = { ...request, format: "table" };
    await expect(through({ 1: unauthorized() }, table, pieces)).rejects.toThrow(
      "The list is not complete: nothing was printed.",
    );
    expect(pieces).toEqual([]);
  });

  test("does not send the token to a redirect's target", async () => {
    const fault: Fault = {
      status: 302,
      headers: { location: `${url}/v1/spaces/api-reference/permissions/users` },
    };
    await expect(through({ 0: fault }, request)).rejects.toThrow(
      /with a redirect \(302\)\. It was not followed: the token is for that address alone\.$/,
    );
  });

  test("reports that the server is not Rolebook", async () => {
    const fault: Fault = { status: 200, body: "<html>" };
    await expect(through({ 0: fault }, request)).rejects.toThrow(/does not answer like a Rolebook server/);
  });

  test("reports an import during the list", async () => {
    const other = await World.open(sqlitePlace);
    try {
      await other.import(acme);
      await keepHistory(other.store.engine, 0);
      const address = await other.app.listen({ host: "127.0.0.1", port: 0 });
      const said: string[] = [];
      let pages = 0;
      await listAll({ url: address, token: await other.token("acme") }, request, {
        write: async () => {
          if (pages++ === 0) await other.import(retitled("B"));
        },
        say: (message) => void said.push(message),
      });
      expect(said).toEqual([
        `${whole().length} entries, revision 1 and 2.`,
        "An import ran while the list was read; entries that remained are listed once.",
      ]);
    } finally {
      await other.close();
    }
  });
});

describe("as a command", () => {
  test("prints a table, and the rest to standard error", async () => {
    const args = ["list", "space-aggregate", "api-reference", "--role", "create"];
    const { status, stdout, stderr } = await rolebook(args, environment());
    expect({ status, stderr }).toEqual({ status: 0, stderr: "6 entries, revision 1.\n" });
    expect(stdout.split("\n")[0]).toMatch(/^id +name +email +role$/);
    expect(
      stdout
        .split("\n")
        .slice(1, -1)
        .every((line) => line.endsWith("  create")),
    ).toBe(true);
  });

  test("asks for an organization, an order and a title where the endpoint has them", async () => {
    const spaces = [
      "list",
      "member-spaces",
      "ana",
      "--organization",
      "acme",
      "--order",
      "asc",
      "--format",
      "csv",
    ];
    const { stdout } = await rolebook(spaces, environment());
    expect(stdout.split("\r\n")[0]).toBe("id,title,role,parent,visibility,created");
    const teams = [
      "list",
      "member-teams",
      "ana",
      "--organization",
      "acme",
      "--title",
      "DOC",
      "--format",
      "ndjson",
    ];
    const found = await rolebook(teams, environment());
    expect(JSON.parse(found.stdout)).toMatchObject({ team: { id: "docs" }, member: { role: "owner" } });
  });

  test.each<[string, readonly string[], Record<string, string>, number, RegExp]>([
    ["no server", ["space-users", "x"], { ROLEBOOK_URL: "" }, 2, /^ROLEBOOK_URL is empty; accepted: .*\n$/],
    [
      "no address",
      ["space-users", "x"],
      { ROLEBOOK_URL: "localhost:3000" },
      2,
      /^ROLEBOOK_URL is "localhost:3000"/,
    ],
    ["no token", ["space-users", "x"], { ROLEBOOK_TOKEN: "" }, 2, /^ROLEBOOK_TOKEN is empty/],
    [
      "a bad token",
      ["space-users", "x"],
      { ROLEBOOK_TOKEN: "rb_wrong" },
      1,
      /^This token is not valid.* Set ROLEBOOK_TOKEN .*\n$/,
    ],
    ["nothing there", ["space-users", "x"], {}, 1, /^There is no space "x" that this token can see\.\n$/],
    ["a bad role", ["space-aggregate", "x", "--role", "y"], {}, 2, /Allowed choices are read, comment/],
    [
      "a bad limit",
      ["space-users", "x", "--limit", "1001"],
      {},
      2,
      /Accepted: a whole number from 1 to 1000/,
    ],
    ["no such list", ["spaces"], {}, 2, /unknown command 'spaces'/],
  ])("%s", async (_, args, settings, status, stderr) => {
    const ran = await rolebook(["list", ...args], { ...environment(), ...settings });
    expect(ran).toMatchObject({ status, stdout: "" });
    expect(ran.stderr).toMatch(stderr);
  });
});

test("prints the refusal of a member's token", async () => {
  const member = await world.token("acme", "farid");
  const request = requestOf({ endpoint: 3, space: "api-reference" }, { format: "ndjson", limit: 10 });
  await expect(listAll({ url, token: member }, request, silent())).rejects.toThrow(
    'This token may see space "api-reference" but not list who has access',
  );
});

function whole() {
  return second.list("acme", { endpoint: 3, space: "api-reference" });
}

function environment(): Record<string, string> {
  return { ROLEBOOK_URL: `${url}/v1/`, ROLEBOOK_TOKEN: token };
}

async function run(request: WalkRequest, at = url): Promise<{ written: string; said: string[] }> {
  const pieces: string[] = [];
  const said: string[] = [];
  await listAll({ url: at, token }, request, silent(pieces, said));
  return { written: pieces.join(""), said };
}

async function through(
  faults: Record<number, Fault>,
  request: WalkRequest,
  pieces: string[] = [],
): Promise<{ written: string; said: string[]; asked: Flaky["asked"] }> {
  const server = await flaky(url, faults);
  const said: string[] = [];
  try {
    await listAll({ url: server.url, token }, request, silent(pieces, said));
    return { written: pieces.join(""), said, asked: server.asked };
  } finally {
    await server.close();
  }
}

function silent(pieces: string[] = [], said: string[] = []) {
  return {
    write: async (piece: string) => void pieces.push(piece),
    say: (message: string) => void said.push(message),
  };
}

function requestOf(listing: Listing, how: Pick<WalkRequest, "format" | "limit">): WalkRequest {
  const operation = OPERATIONS[listing.endpoint - 1];
  if (operation === undefined) throw new Error(`no operation ${listing.endpoint}`);
  const { endpoint: _, ...named } = listing;
  const path: Record<string, string> = { organizationId: "acme" };
  const filters: Record<string, string> = {};
  for (const [name, value] of Object.entries<string>(named)) {
    if (operation.filters.some((filter) => parameterName(filter) === name)) filters[name] = value;
    else path[`${name}Id`] = value;
  }
  return { operation, path, filters, ...how };
}

function unauthorized(): Fault {
  return { status: 401, body: body(401, "It may be revoked.") };
}

function body(code: number, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

function retitled(title: string) {
  return acme.map((record) => (record.object === "organization" ? { ...record, title } : record));
}
