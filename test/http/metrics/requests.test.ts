import { AggregatorRegistry, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { BOUNDS, RequestTimes, withRequests } from "../../../src/http/request-times.ts";
import { aggregate } from "../../../src/http/metrics-registry.ts";

test("the times of requests are published as prom-client would have counted them", async () => {
  const times = new RequestTimes();
  const theirs = new Registry();
  const counted = new Histogram({
    name: "rolebook_http_request_duration_seconds",
    help: "Time until a request was answered, by route template (none if no route matches) and status.",
    labelNames: ["route", "status"],
    buckets: BOUNDS,
    registers: [theirs],
  });
  const seconds = [0, ...BOUNDS.flatMap((bound) => [bound, bound * 1.01]), 1000];
  for (const [index, each] of seconds.entries()) {
    const status = index % 3 === 0 ? 200 : 404;
    const route = ["/v1/a/{id}", "none"][index % 2];
    times.note(route ?? "", status, each);
    counted.observe({ route: route ?? "", status }, each);
  }
  const lines = (text: string) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .sort();
  expect(lines(await withRequests(times, new Registry()))).toEqual(lines(await theirs.metrics()));
  // As several processes publish them together.
  const ours = { answers: times.all(), others: [] };
  const each = await theirs.getMetricsAsJSON();
  expect(lines(await aggregate([ours, ours]))).toEqual(
    lines(await AggregatorRegistry.aggregate([each, each]).metrics()),
  );
});
