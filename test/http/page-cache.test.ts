import { expect, test } from "vitest";
import { PageCache } from "../../src/http/page-cache.ts";

const PAGE = Buffer.alloc(1000);

test("a page is kept from the second time on", () => {
  const pages = new PageCache(1 << 20);
  pages.keep("a", PAGE);
  expect(pages.has("a")).toBe(false);
  expect(pages.bytes).toBe(0);
  pages.keep("b", PAGE);
  pages.keep("a", PAGE);
  expect(pages.get("a")).toBe(PAGE);
  expect(pages.has("b")).toBe(false);
});

test("pages that are asked for once push out none that is asked for again", () => {
  const pages = new PageCache(10_000);
  for (let time = 0; time < 2; time++) pages.keep("again", PAGE);
  for (let number = 0; number < 10_000; number++) pages.keep(`once ${number}`, PAGE);
  expect(pages.has("again")).toBe(true);
});

test("what is noted of pages that were asked for once is bounded", () => {
  const pages = new PageCache(1 << 20);
  pages.keep("first", PAGE);
  for (let number = 0; number < 10_000; number++) pages.keep(`once ${number}`, PAGE);
  pages.keep("first", PAGE);
  expect(pages.has("first")).toBe(false);
});
