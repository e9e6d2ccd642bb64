/** What a server keeps in memory, as ROLEBOOK_MEMORY says. */
import { expect, onTestFinished, test } from "vitest";
import { Program } from "../../crash/program.ts";
import { samplesOf, valueOf } from "../../http/metrics/exposition.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { sqlitePlace, World } from "../../world.ts";

/** More than half a megabyte in memory, and less than one. */
const MEMBERS = 8_000;

test.each([
  { memory: "1MB", workers: 1, models: 1, warnings: 0 },
  { memory: "1MB", workers: 2, models: 0, warnings: 2 },
  { memory: "2MB", workers: 2, models: 2, warnings: 0 },
])("$memory for $workers workers", async ({ memory, workers, models, warnings }) => {
  const world = await World.open(sqlitePlace);
  onTestFinished(() => world.close());
  await world.import(yearly(1, MEMBERS));
  const authorization = `Bearer ${await world.token(YEARLY)}`;
  const server = new Program(
    ["serve", "--port", "0", "--workers", String(workers), "--database", world.url],
    { environment: { ROLEBOOK_MEMORY: memory, ROLEBOOK_LOG_LEVEL: "info" } },
  );
  onTestFinished(() => server.kill());
  const [, address = ""] = await server.says(/Rolebook serves .* at (http:\/\/[^",]+:\d+)/);
  const ask = async (path: string) => (await fetch(address + path, { headers: { authorization } })).text();
  const loads = async () => {
    const samples = samplesOf(await ask("/metrics"));
    return ["rolebook_models", "rolebook_model_loads_total"].map((name) => valueOf(samples, name));
  };
  await expect.poll(loads).toEqual([models, workers]);
  // An organization that is too large is answered, too.
  expect(JSON.parse(await ask("/explorer/why?space=a&user=u00001"))).toMatchObject({ role: "comment" });
  server.kill("SIGTERM");
  const { stderr } = await server.ended;
  const warned = stderr
    .split("\n")
    .filter((line) => line.includes("Organization yearly takes 1 MB of memory"));
  expect(warned).toHaveLength(warnings);
});
