import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { type Body, bodyOf } from "../../src/http/exchange.ts";
import { encoded, ResponseCache } from "../../src/http/response-cache.ts";
import type { Token } from "../../src/store/revisions/registry.ts";

const PAGE = bodyOf("é".repeat(500));
const TOKEN: Token = {
  id: "token",
  name: "ours",
  createdAt: "",
  organization: "acme",
  member: undefined,
  expiresAt: undefined,
  issuer: undefined,
};

function request(url: string): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  const rawHeaders = ["Host", "a", "Authorization", "Bearer one"];
  return Object.assign(message, { method: "GET", httpVersion: "1.1", url, rawHeaders });
}

function keep(cache: ResponseCache, url: string, body: Body = PAGE): void {
  cache.keep(request(url), { version: 1, token: TOKEN, headers: [], body, revision: 1, rows: 0 });
}

test("an answer is cached at its second request", () => {
  const cache = new ResponseCache(1 << 20);
  keep(cache, "/a");
  expect(cache.bytes).toBe(0);
  keep(cache, "/b");
  expect(cache.bytes).toBe(0);
  keep(cache, "/a");
  expect(cache.bytes).toBeGreaterThan(PAGE.length);
});

test("answers that are requested once do not evict repeated ones", () => {
  const cache = new ResponseCache(10_000);
  for (let time = 0; time < 2; time++) keep(cache, "/again");
  const { bytes } = cache;
  for (let number = 0; number < 10_000; number++) keep(cache, `/once/${number}`);
  expect(cache.bytes).toBe(bytes);
});

test("the texts of requests that were sent once are bounded", () => {
  const cache = new ResponseCache(1 << 20);
  keep(cache, "/first");
  for (let number = 0; number < 10_000; number++) keep(cache, `/once/${number}`);
  keep(cache, "/first");
  expect(cache.bytes).toBe(0);
});

test.each(["a", "é", "€".repeat(1000), "a".repeat(5000), ""])(
  "a body of %j has the same bytes, sent once and again",
  (text) => {
    const once = bodyOf(text);
    const again = encoded(once);
    for (const { data, encoding, length } of [once, again, encoded(again)]) {
      const bytes = typeof data === "string" ? Buffer.from(data, encoding) : data;
      expect(bytes.equals(Buffer.from(text))).toBe(true);
      expect(length).toBe(bytes.length);
    }
  },
);
