import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { Turns } from "../../../store/turns.ts";
import type { Opened } from "./list.ts";

const BLOCK = 500;

type Read<Row> = (request: PageRequest<string>) => Promise<Page<Row, string>>;

/** Opens a list that is counted by reading it if `total` is unknown. */
export function counting<Row>(total: number | undefined, page: Read<Row>): Opened<Row> {
  return {
    ...(total === undefined ? {} : { total }),
    page,
    async count() {
      if (total !== undefined) return { total };
      let rows = 0;
      const turns = new Turns();
      for (let after: string | undefined; ;) {
        const { entries, next } = await page({ after, limit: 1000 });
        rows += entries.length;
        if (next === undefined) return { total: rows };
        after = next;
        await turns.give();
      }
    },
  };
}

/** A page of the rows that `isWanted` accepts. */
export async function sifted<Row>(
  read: Read<Row>,
  isWanted: (row: Row) => boolean,
  key: (row: Row) => string,
  { after, limit }: PageRequest<string>,
): Promise<Page<Row, string>> {
  const found: Row[] = [];
  const turns = new Turns();
  for (let from = after; found.length <= limit;) {
    const { entries, next } = await read({ after: from, limit: BLOCK });
    found.push(...entries.filter(isWanted));
    if (next === undefined) break;
    from = next;
    await turns.give();
  }
  return pageOf(found, limit, key);
}
