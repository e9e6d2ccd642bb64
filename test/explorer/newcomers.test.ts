/** Lists narrowed to what is new since a time, held to the oracle over random organizations and what becomes of them. */
import Papa from "papaparse";
import { expect, test } from "vitest";
import type { CountsAnswer } from "../../src/explorer/wire/counts.ts";
import { byBytes } from "../oracle/order.ts";
import { answer, contentsOf, differences, staged } from "./stages.ts";

const encode = encodeURIComponent;

test("narrowed to what is new since a time, a list has those who had nothing before it, counts them and hands them over", async () => {
  await staged(async (world, stages, token) => {
    const [before, next] = stages;
    const last = stages.at(-1);
    if (before === undefined || next === undefined || last === undefined) return;
    if (before.importedAt === next.importedAt) return;
    const since = next.importedAt;
    const gained = differences(before.facts, last.facts).filter(({ direction }) => direction === "gained");
    const lists = [
      ...contentsOf(last.facts).map(({ kind, id }) => ({
        list: `${kind}=${encode(id)}`,
        expected: gained.filter(({ content }) => content === `${kind}/${id}`).map(({ user }) => user),
      })),
      ...[...last.facts.members.keys()].map((id) => ({
        list: `member=${encode(id)}`,
        expected: gained
          .filter(({ content, user }) => user === id && content.startsWith("space/"))
          .map(({ content }) => content.slice("space/".length)),
      })),
    ];
    // Those with most that is new, and one other.
    const most = lists.toSorted((a, b) => b.expected.length - a.expected.length);
    for (const { list, expected } of [...most.slice(0, 4), ...most.slice(-1)]) {
      const path = `${list}&since=${since}`;
      const rows = (await world.walk(`/explorer/access?${path}`, token, [1, 3])).map((row): NewRow =>
        Object(row),
      );
      const ids = rows.map(({ user, space }) => user?.id ?? space?.id ?? "");
      expect(ids.toSorted(byBytes), path).toEqual(expected.toSorted(byBytes));
      const { filtered } = await answer<CountsAnswer>(world, `/explorer/counts?${path}`, token);
      expect(filtered?.total, path).toBe(expected.length);
      const { body } = await world.get(`/explorer/csv?${path}`, token);
      const file = Papa.parse<string[]>(body, { newline: "\r\n", skipEmptyLines: true }).data;
      expect(file[4]?.at(-1)).toBe(`new since ${since}`);
      expect(file.slice(6), path).toHaveLength(expected.length);
      // Nobody is new since now, and of what held before the first revision nothing is kept.
      const later = await world.walk(`/explorer/access?${list}&since=9999-12-31T00:00:00Z`, token);
      expect(later).toEqual([]);
      const { status } = await world.get(`/explorer/access?${list}&since=2000-01-01T00:00:00Z`, token);
      expect(status).toBe(400);
    }
  });
});

/** What the rows of a content's and a member's list have of a thing. */
interface NewRow {
  readonly user?: { readonly id: string };
  readonly space?: { readonly id: string };
}
