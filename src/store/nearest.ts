import { Nearest } from "../domain/nearest.ts";
import { statement } from "./engine.ts";
import { atOneMoment } from "./moment.ts";
import type { Store } from "./store.ts";
import type { Thing } from "./why.ts";

const MEMBERS = statement<[id: string, doc: string]>(() => "SELECT id, doc FROM member WHERE snapshot = $1");
const THINGS = statement<[key: string, title: string]>(
  () => `
    SELECT id, title FROM content WHERE snapshot = $1
    UNION ALL SELECT 'site/' || id, title FROM site WHERE snapshot = $1`,
);

/** The members whose id, name or e-mail address is nearly what was asked for. Reads all of them: for a mistake. */
export function nearestMembers(
  store: Store,
  organization: string,
  wanted: string,
): Promise<readonly string[]> {
  return atOneMoment(store, organization, async ({ snapshot }, reader) => {
    const nearest = new Nearest(wanted);
    for await (const [id, doc] of reader.stream(MEMBERS, snapshot)) {
      const { displayName, email = "" }: { displayName: string; email?: string } = JSON.parse(doc);
      nearest.add(id, displayName, email);
    }
    return nearest.ids;
  });
}

/** The things, of one kind or of any, whose id or title is nearly what was asked for, as `space/ID`. */
export function nearestThings(
  store: Store,
  organization: string,
  wanted: string,
  kind?: Thing["kind"],
): Promise<readonly string[]> {
  return atOneMoment(store, organization, async ({ snapshot }, reader) => {
    const nearest = new Nearest(wanted);
    for await (const [key, title] of reader.stream(THINGS, snapshot)) {
      const [kindOfKey = "", id = ""] = key.split("/");
      if (kind === undefined || kind === kindOfKey) nearest.add(key, id, title);
    }
    return nearest.ids;
  });
}
