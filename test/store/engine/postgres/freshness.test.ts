import { expect, test } from "vitest";
import { type Programs, startPrograms } from "../../../postgres/network/programs.ts";
import { startRelay } from "../../../postgres/network/relay.ts";
import { usePostgres } from "../../../postgres/use.ts";
import { YEARLY, yearly } from "../../../postgres/yearly.ts";
import { World } from "../../../world.ts";

/** The latency of a distant database in each direction, in milliseconds: longer than revoking a token takes. */
const LATE = 100;
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

test("… also if the session that asks for changes ended just before", async () => {
  await using both = await programs();
  for (let round = 0; round < 3; round++) {
    const { token, revoke } = await both.token(YEARLY);
    expect(await status(both, token)).toBe(200);
    expect(await both.endAsking()).toBeGreaterThan(0);
    await revoke();
    expect(await status(both, token)).toBe(401);
  }
});

test("… also if its connection is silently dead", async () => {
  await using both = await programs();
  const { token, revoke } = await both.token(YEARLY);
  expect(await status(both, token)).toBe(200);
  await both.holdAsking();
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

test("… also if a question that was answered before the change is still on its way back", async () => {
  await using both = await programs();
  await using relay = await startRelay(postgres.server.port, LATE);
  const url = both.command.url.replace(`:${postgres.server.port}/`, `:${relay.port}/`);
  const distant = await World.open(async () => ({
    url: `${url}&application_name=distant`,
    dispose: async () => {},
  }));
  const { token, revoke } = await both.token(YEARLY);
  expect((await distant.get(PATH, token)).status).toBe(200);
  const answered = async () => {
    const { rows } = await both.outside.query<{ at: string }>(
      "SELECT query_start::text AS at FROM pg_stat_activity WHERE application_name = 'distant changes' AND state = 'idle'",
    );
    return rows[0]?.at;
  };
  const before = await answered();
  const early = distant.get(PATH, token);
  await expect.poll(answered, { interval: 1 }).toSatisfy((at) => at !== undefined && at !== before);
  await revoke();
  expect((await distant.get(PATH, token)).status).toBe(401);
  await early;
  await distant.close();
});
