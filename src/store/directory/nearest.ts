import { Nearest } from "../../domain/text.ts";
import type { SpeltWhen } from "../../domain/date.ts";
import { holds, memberDoc } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import { readConsistently } from "../revisions/consistent-read.ts";
import type { Revision } from "../reading.ts";
import type { Store } from "../store.ts";
import type { ContentOrSite } from "../why.ts";

const MEMBERS = statement<[id: string, doc: string]>(
  () => `SELECT m.id, ${memberDoc("m")} FROM member m WHERE ${holds("m")}`,
);
const CONTENTS_AND_SITES = statement<[key: string, title: string]>(
  () => `
    SELECT c.id, c.title FROM content c WHERE ${holds("c")}
    UNION ALL SELECT 'site/' || s.id, s.title FROM site s WHERE ${holds("s")}`,
);

/**
 * Members whose id, name or e-mail address is similar to `wanted`. Reads all members: use it only for error messages.
 */
export function nearestMembers(store: Store, at: Revision, wanted: string): Promise<readonly string[]> {
  return readConsistently(
    store,
    at.organization,
    async ({ generation, revision }, reader) => {
      const nearest = new Nearest(wanted);
      for await (const [id, doc] of reader.stream(MEMBERS, generation, revision)) {
        const { displayName, email = "" }: { displayName: string; email?: string } = JSON.parse(doc);
        nearest.add(id, displayName, email);
      }
      return nearest.ids;
    },
    named(at),
  );
}

/**
 * Contents and sites whose id or title is similar to `wanted`, each as KIND/ID; with `kind`, only those of one kind.
 */
export function nearestContentsAndSites(
  store: Store,
  at: Revision,
  wanted: string,
  kind?: ContentOrSite["kind"],
): Promise<readonly string[]> {
  return readConsistently(
    store,
    at.organization,
    async ({ generation, revision }, reader) => {
      const nearest = new Nearest(wanted);
      for await (const [key, title] of reader.stream(CONTENTS_AND_SITES, generation, revision)) {
        const [kindOfKey = "", id = ""] = key.split("/");
        if (kind === undefined || kind === kindOfKey) nearest.add(key, id, title);
      }
      return nearest.ids;
    },
    named(at),
  );
}

function named({ revision }: Revision): SpeltWhen {
  return { spelt: String(revision), when: { kind: "revision", revision } };
}
