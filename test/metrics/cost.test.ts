import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { requestHistogram } from "../../src/http/metrics/requests.ts";

const ROUND = 20_000;
const ROUNDS = 40;

test("a request costs the metrics less than two microseconds", () => {
  const note = requestHistogram(new Registry());
  const routes = [
    "/v1/spaces/{spaceId}/permissions/users",
    "/v1/orgs/{organizationId}/members/{userId}/teams",
  ];
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let request = 0; request < ROUND; request++) {
      note(routes[request & 1], request % 7 === 0 ? 304 : 200, (request % 50) / 10_000);
    }
    rounds.push(((performance.now() - start) * 1000) / ROUND);
  }
  // The best round: slower rounds show only how busy the machine was.
  expect(Math.min(...rounds), `${rounds.map((each) => each.toFixed(2)).join(" ")} µs`).toBeLessThan(2);
});
