import { expect, test } from "vitest";
import { bodyOf, encoded } from "../../src/http/listings/body.ts";
import { PageCache } from "../../src/http/listings/page-cache.ts";

const PAGE = bodyOf("é".repeat(500));

test("a page is cached at its second request", () => {
  const pages = new PageCache(1 << 20);
  pages.keep("a", PAGE);
  expect(pages.has("a")).toBe(false);
  expect(pages.bytes).toBe(0);
  pages.keep("b", PAGE);
  pages.keep("a", PAGE);
  expect(pages.get("a")).toEqual(encoded(PAGE));
  expect(pages.has("b")).toBe(false);
});

test("pages that are requested once do not evict repeated ones", () => {
  const pages = new PageCache(10_000);
  for (let time = 0; time < 2; time++) pages.keep("again", PAGE);
  for (let number = 0; number < 10_000; number++) pages.keep(`once ${number}`, PAGE);
  expect(pages.has("again")).toBe(true);
});

test("the keys of pages that were requested once are bounded", () => {
  const pages = new PageCache(1 << 20);
  pages.keep("first", PAGE);
  for (let number = 0; number < 10_000; number++) pages.keep(`once ${number}`, PAGE);
  pages.keep("first", PAGE);
  expect(pages.has("first")).toBe(false);
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
