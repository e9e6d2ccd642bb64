import { expect, test } from "vitest";
import { type Programs, startPrograms } from "../../../postgres/network/programs.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { YEARLY, yearly } from "../../../postgres/yearly.ts";

const PATH = "/v1/spaces/a/permissions/aggregate";

const postgres = usePostgres();

async function programs(): Promise<Programs> {
  const started = await startPrograms(() => postgres.places.open(), postgres.server.port);
  await started.command.import(yearly(1));
  return started;
}

async function status({ serving }: Programs, token: string, path = PATH): Promise<number> {
  return (await serving.get(path, token)).status;
}

test("a token that another program revokes is refused at the next request", async () => {
  await using both = await programs();
  for (let round = 0; round < 5; round++) {
    const { token, revoke } = await both.token(YEARLY);
    expect(await status(both, token)).toBe(200);
    await revoke();
    expect(await status(both, token)).toBe(401);
  }
});

test("… also if the session that receives notifications ended just before", async () => {
  await using both = await programs();
  for (let round = 0; round < 3; round++) {
    const { token, revoke } = await both.token(YEARLY);
    expect(await status(both, token)).toBe(200);
    expect(await both.endWatching()).toBeGreaterThan(0);
    await revoke();
    expect(await status(both, token)).toBe(401);
  }
});

test("… also if its connection is silently dead", async () => {
  await using both = await programs();
  const { token, revoke } = await both.token(YEARLY);
  expect(await status(both, token)).toBe(200);
  both.proxy.hold(0);
  await revoke();
  expect(await status(both, token)).toBe(401);
});

test("the next request sees an import, and removed members are refused", async () => {
  await using both = await programs();
  const leaving = (await both.token(YEARLY, "u00011")).token;
  const { token } = await both.token(YEARLY);
  const teams = `/v1/orgs/${YEARLY}/members/u00011/teams`;
  expect(await status(both, leaving, teams)).toBe(200);
  expect((await both.serving.page(PATH, token)).items).toHaveLength(12);
  await both.command.import(yearly(2, 11));
  expect((await both.serving.page(PATH, token)).items).toHaveLength(11);
  expect(await status(both, leaving, teams)).toBe(401);
});
