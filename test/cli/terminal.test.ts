/** Output on a terminal: aligned columns, and one line of progress. */
import { expect, test } from "vitest";
import { LoadingLine, StatusLine, bar, table, widthOf } from "../../src/cli/terminal.ts";

test.each([
  ["", 0],
  ["Ana", 3],
  ["Nguyễn Thị Thu".normalize("NFD"), 14],
  ["目次", 4],
  ["👩‍👩‍👧", 2],
  ["⚠️ x", 4],
  ["ｆｕｌｌ", 8],
  ["한국", 4],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("a table is aligned, numbers to the right, with one line per row", () => {
  const rows = [
    ["目次", "a\nb", 7],
    ["x", "\u001b[31mred", 1234],
  ];
  const lines = ["title  text         n", "目次   a b          7", "x       [31mred  1234"];
  expect(table(["title", "text", "n"], rows)).toBe(lines.join("\n"));
});

test("a table may have very many rows", () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [index]);
  // Each line is as wide as the widest one, with line ends only between lines.
  expect(table(["n"], rows)).toHaveLength(200_001 * "199999\n".length - 1);
});

test("progress is shown only on a terminal, not too often, and then removed", () => {
  const drawn: string[] = [];
  const stream = { isTTY: true, write: (text: string) => drawn.push(text) > 0 };
  const line = new StatusLine(stream);
  line.end();
  line.show(() => `Deciding ${bar(0.5)}`);
  line.show(() => "too soon");
  line.show(() => "at once", false);
  line.end();
  line.end();
  expect(drawn).toEqual([
    "\r\u001b[KDeciding [###############---------------] 50 %",
    "\r\u001b[Kat once",
    "\r\u001b[K",
  ]);

  const silent = new StatusLine({ ...stream, isTTY: false });
  silent.show(() => "x", false);
  silent.end();
  expect(drawn).toHaveLength(3);
});

test("a load is shown when it takes longer than a second, and then removed", () => {
  const drawn: string[] = [];
  let now = 0;
  const line = new StatusLine({ isTTY: true, write: (text: string) => drawn.push(text) > 0 });
  const loading = new LoadingLine(line, () => now);
  const load = (...times: number[]) => {
    for (const [index, time] of times.entries()) {
      now = time;
      loading.show(index / (times.length - 1));
    }
  };
  load(0, 999, 1000);
  expect(drawn).toEqual([]);
  load(5000, 5001, 6001, 7000, 7001);
  expect(drawn).toEqual([expect.stringContaining("Loading [###############-"), "\r\u001b[K"]);
});
