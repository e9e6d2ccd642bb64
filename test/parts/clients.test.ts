import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { GitBookAPI091, GitBookAPINewest, gitbookOpenapi, isClientError } from "./clients.ts";

test("both official clients send requests under /v1 with the token, and throw the message of a refusal", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    const found = request.url?.startsWith("/v1/spaces/spc/") === true;
    response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify(found ? { count: 0, items: [] } : { error: { code: 404, message: "No such space." } }),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    for (const Client of [GitBookAPI091, GitBookAPINewest]) {
      const client = new Client({ endpoint: `http://127.0.0.1:${address.port}`, authToken: "rb_test" });
      const { data } = await client.spaces.listUserPermissionsInSpace("spc", { limit: 7 });
      expect(data.items).toEqual([]);
      const refusal: unknown = await client.spaces
        .listTeamPermissionsInSpace("other")
        .catch((error) => error);
      if (!isClientError(refusal)) throw new Error("not the clients' error", { cause: refusal });
      expect([refusal.code, refusal.errorMessage]).toEqual([404, "No such space."]);
    }
  } finally {
    server.close();
  }
  const both = [
    "/v1/spaces/spc/permissions/users?limit=7 Bearer rb_test",
    "/v1/spaces/other/permissions/teams Bearer rb_test",
  ];
  expect(asked).toEqual([...both, ...both]);
});

test("the OpenAPI document of 0.91.0 has the nine paths of the interface", () => {
  const paths = Object.keys(gitbookOpenapi().paths);
  expect(paths).toEqual(
    expect.arrayContaining([
      "/spaces/{spaceId}/permissions/users",
      "/spaces/{spaceId}/permissions/teams",
      "/spaces/{spaceId}/permissions/aggregate",
      "/collections/{collectionId}/permissions/teams",
      "/collections/{collectionId}/permissions/users",
      "/collections/{collectionId}/permissions/aggregate",
      "/orgs/{organizationId}/members/{userId}/spaces",
      "/orgs/{organizationId}/sites/{siteId}/permissions/aggregate",
      "/orgs/{organizationId}/members/{userId}/teams",
    ]),
  );
});
