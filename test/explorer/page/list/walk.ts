import type { Page } from "../../../parts/browser.ts";

export interface Walked {
  /** The ids of the rows in order. If an id was shown at several positions, it is repeated. */
  readonly ids: readonly string[];
  /** The largest number of rows in the document at once. */
  readonly most: number;
}

/**
 * Scrolls through the shown list screen by screen to its last row, and waits for pages that are loading. Throws if a
 * row stays blank.
 */
export function walkList(page: Page): Promise<Walked> {
  return page.evaluate<Walked>(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const list = document.querySelector(".scroll");
    const box = getComputedStyle(list).overflowY === "visible" ? document.documentElement : list;
    const places = new Map();
    let most = 0;
    for (let waited = 0; ;) {
      await frame();
      await frame();
      const drawn = [...document.querySelectorAll("tbody tr[data-row]")];
      most = Math.max(most, drawn.length);
      const known = places.size;
      const rows = drawn.filter((row) => !("blank" in row.dataset));
      for (const row of rows) places.set(row.dataset.row + " " + row.querySelector("th a").id, row);
      const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
      const total = Number(document.querySelector("table").getAttribute("aria-rowcount")) - 1;
      if (end && places.size >= total) break;
      const still = rows.length < drawn.length || end;
      waited = still && places.size === known ? waited + 1 : 0;
      if (waited > 600) throw new Error("The list stands still at " + places.size + " of " + total + " rows.");
      if (rows.length === drawn.length) box.scrollTop += box.clientHeight * 0.8;
    }
    const ids = [...places.keys()].map((key) => key.split(" ")).sort(([a], [b]) => a - b);
    return { ids: ids.map(([, id]) => id.replace(/^user-/, "")), most };
  })()`);
}
