import { setTimeout as sleep } from "node:timers/promises";
import { HANG } from "./hang.ts";

/** Looks until `holds`. Throws after {@link HANG}, and names what it waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + HANG;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited for ${HANG / 1000} s until ${what}`);
    await sleep(10);
  }
}

/** Resolves in a later millisecond of the clock, so that what is done before and after has different times. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  await until("the clock goes on", () => Date.now() > now);
}
